#include "app/worker/expected.h"

#include "app/worker/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

namespace app {

namespace {

std::string size_of(const recording::Problem& problem)
{
    return fmt::format("{}x{}x{}", problem.M, problem.N, problem.K);
}

std::string program(const std::vector<std::string>& command)
{
    return command.empty() ? "a program" : command.front();
}

std::string at_size(const char* doing, const StageJob& job)
{
    return fmt::format("{} {} at {}", doing, job.stage, size_of(job.problem));
}

double products(const recording::Problem& problem)
{
    return static_cast<double>(problem.M) * problem.N * std::max<uint32_t>(problem.K, 1);
}

// To compile it, or to run a block of it as PTX, which ends after so many steps of a warp: then it tells that it is alive.
constexpr double of_user = 60;
constexpr double any_program = 1e6; // runs as long as it runs; whoever waits can stop it

struct Expectation {
    std::string name;
    double seconds = 0;
};

// One entry for each task.
//
// Seconds were measured on 2026-11-22 on two busy cores of an AMD EPYC: of the rungs warp_shuffle was recorded slowest, at
// 256x256x256 with 7 million products a second, and naive's machine code was followed at 512x512x512 with 6 million: a seventh of
// that is expected. A GPU's slowest rung, naive, makes 250 thousand million products a second (H200, 4096x4096x4096): a
// five-hundredth of that, for smaller GPUs, several runs, and a reference that is computed on a CPU where there is no cuBLAS.
struct Reckoner {
    bool gpu;
    double of(const recording::Problem& problem) const { return products(problem) * (gpu ? 2e-9 : 1e-6); }
    // Its machine code is followed on a CPU.
    static Expectation followed(const char* doing, const RecordingPtr& recording, const StageJob& job)
    {
        const StageJob own = recording != nullptr ? job_of(*recording) : job;
        return {at_size(doing, own), 60 + products(own.problem) * 1e-6};
    }

    Expectation operator()(const RecordTask& task) const
    {
        return {at_size("recording", task.job), 10 + of(task.job.problem)};
    }
    Expectation operator()(const VerifyTask& task) const
    {
        return {at_size("verifying", task.job), 10 + of(task.job.problem)};
    }
    Expectation operator()(const MeasureTask& task) const
    {
        return {at_size("timing", task.job), 20 + 4 * (task.seconds + task.energy_seconds) + of(task.job.problem)};
    }
    Expectation operator()(const BaselineTask& task) const
    {
        return {fmt::format("timing {} at {}", task.baseline, size_of(task.problem)),
                60 + 4 * (task.seconds + task.energy_seconds) + of(task.problem)};
    }
    Expectation operator()(const TuneTask& task) const
    {
        return {at_size("searching parameters of", task.job), // each candidate is a sign of life
                20 + 4 * task.options.final_seconds + of(task.job.problem) + 2};
    }
    Expectation operator()(const CountTask& task) const { return followed("counting", task.recording, task.job); }
    Expectation operator()(const ExamineTask& task) const { return followed("examining", task.recording, task.job); }
    Expectation operator()(const ProbeTask&) const { return {"measuring the GPU", 20}; }
    Expectation operator()(const OpenTask& task) const
    {
        return is_of_user(task) ? Expectation{"running a kernel of " + task.path.filename().string(), of_user}
                                : Expectation{"opening a recording", 60};
    }
    Expectation operator()(const SaveTask&) const { return {"saving", 60}; }
    Expectation operator()(const PrepareTask& task) const
    {
        return {fmt::format("compiling {} stages", task.jobs.size()), 10 + 10 * static_cast<double>(task.jobs.size())};
    }
    Expectation operator()(const ListProgramTask& task) const
    {
        return {"listing the kernels of " + program(task.command), any_program};
    }
    Expectation operator()(const TraceProgramTask& task) const
    {
        return {"tracing a kernel of " + program(task.command), any_program};
    }
    Expectation operator()(const MeasurePatternsTask& task) const
    {
        return {fmt::format("counting {} access patterns", task.rows.size()),
                60 + 0.1 * static_cast<double>(task.rows.size())};
    }
    Expectation operator()(const TraceTask& task) const
    {
        return {"running a kernel of " + task.request.file.filename().string(), of_user};
    }
    Expectation operator()(const RunFileTask& task) const
    {
        return {"running " + task.file.filename().string(), of_user + of(task.problem)};
    }
    Expectation operator()(const WarpsTask& task) const // compiles two forms of the kernel
    {
        return {at_size("watching the warps of", task.job), 30 + of(task.job.problem)};
    }
};

template <class T>
inline constexpr bool holds_recording = requires(T result)
{
    result.recorded;
};

} // namespace

bool is_of_user(const Task& task)
{
    if (const auto* open = std::get_if<OpenTask>(&task))
        return open->stage.empty() && is_cuda_source(open->path);
    return std::holds_alternative<TraceTask>(task) || std::holds_alternative<RunFileTask>(task);
}

std::string name_of(const Task& task)
{
    return std::visit(Reckoner{false}, task).name;
}

std::chrono::seconds expected(const Task& task, const MachineFacts& machine)
{
    const double seconds = std::visit(Reckoner{machine.gpu()}, task).seconds;
    return std::chrono::seconds(static_cast<int64_t>(std::min(seconds, 1e6)));
}

std::size_t largest_result(std::size_t place)
{
    return [place]<class... T>(std::type_identity<std::variant<T...>>) {
        constexpr std::array<bool, sizeof...(T)> with_recording{holds_recording<T>...};
        return with_recording.at(place) ? largest_recording : largest_figures;
    }(std::type_identity<Result>());
}

} // namespace app
