#include "app/worker/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

struct Namer {
    std::string operator()(const RecordTask& task) const { return at_size("recording", task.job); }
    std::string operator()(const VerifyTask& task) const { return at_size("verifying", task.job); }
    std::string operator()(const MeasureTask& task) const { return at_size("timing", task.job); }
    std::string operator()(const BaselineTask& task) const
    {
        return fmt::format("timing {} at {}", task.baseline, size_of(task.problem));
    }
    std::string operator()(const TuneTask& task) const { return at_size("searching parameters of", task.job); }
    std::string operator()(const CountTask& task) const { return at_size("counting", task.job); }
    std::string operator()(const ExamineTask& task) const
    {
        return at_size("examining", task.recording != nullptr ? job_of(*task.recording) : task.job);
    }
    std::string operator()(const ProbeTask&) const { return "measuring the GPU"; }
    std::string operator()(const OpenTask& task) const
    {
        return is_of_user(task) ? "running a kernel of " + task.path.filename().string() : "opening a recording";
    }
    std::string operator()(const SaveTask&) const { return "saving"; }
    std::string operator()(const PrepareTask& task) const
    {
        return fmt::format("compiling {} stages", task.jobs.size());
    }
    std::string operator()(const ListProgramTask& task) const
    {
        return "listing the kernels of " + program(task.command);
    }
    std::string operator()(const TraceProgramTask& task) const
    {
        return "tracing a kernel of " + program(task.command);
    }
    std::string operator()(const MeasurePatternsTask& task) const
    {
        return fmt::format("counting {} access patterns", task.rows.size());
    }
    std::string operator()(const TraceTask& task) const
    {
        return "running a kernel of " + task.request.file.filename().string();
    }
    std::string operator()(const RunFileTask& task) const { return "running " + task.file.filename().string(); }
    std::string operator()(const WarpsTask& task) const { return at_size("watching the warps of", task.job); }
};

double products(const recording::Problem& problem)
{
    return static_cast<double>(problem.M) * problem.N * std::max<uint32_t>(problem.K, 1);
}

// To compile it, or to run a block of it as PTX, which ends after so many steps of a warp: then it tells that it is alive.
constexpr double of_user = 60;
constexpr double any_program = 1e6; // runs as long as it runs; whoever waits can stop it

// Seconds. Measured on 2026-11-22 on two busy cores of an AMD EPYC: of the rungs warp_shuffle was recorded slowest, at 256x256x256
// with 7 million products a second, and naive's machine code was followed at 512x512x512 with 6 million: a seventh of that is
// expected. A GPU's slowest rung, naive, makes 250 thousand million products a second (H200, 4096x4096x4096): a five-hundredth of
// that, for smaller GPUs, several runs, and a reference that is computed on a CPU where there is no cuBLAS.
struct Reckoner {
    const MachineFacts& machine;
    double per_product() const { return machine.gpu() ? 2e-9 : 1e-6; }
    double of(const recording::Problem& problem) const { return products(problem) * per_product(); }

    double operator()(const RecordTask& task) const { return 10 + of(task.job.problem); }
    double operator()(const VerifyTask& task) const { return 10 + of(task.job.problem); }
    double operator()(const MeasureTask& task) const
    {
        return 20 + 4 * (task.seconds + task.energy_seconds) + of(task.job.problem);
    }
    double operator()(const BaselineTask& task) const
    {
        return 60 + 4 * (task.seconds + task.energy_seconds) + of(task.problem);
    }
    double operator()(const TuneTask& task) const
    {
        return 20 + 4 * task.options.final_seconds + of(task.job.problem) + 2; // each candidate is a sign of life
    }
    double operator()(const CountTask& task) const
    {
        const recording::Problem& problem = task.recording != nullptr ? task.recording->problem : task.job.problem;
        return 60 + products(problem) * 1e-6; // its machine code is followed on a CPU
    }
    double operator()(const ExamineTask& task) const
    {
        const recording::Problem& problem = task.recording != nullptr ? task.recording->problem : task.job.problem;
        return 60 + products(problem) * 1e-6;
    }
    double operator()(const ProbeTask&) const { return 20; }
    double operator()(const OpenTask& task) const { return is_of_user(task) ? of_user : 60; }
    double operator()(const SaveTask&) const { return 60; }
    double operator()(const PrepareTask& task) const { return 10 + 10 * static_cast<double>(task.jobs.size()); }
    double operator()(const ListProgramTask&) const { return any_program; }
    double operator()(const TraceProgramTask&) const { return any_program; }
    double operator()(const MeasurePatternsTask& task) const
    {
        return 60 + 0.1 * static_cast<double>(task.rows.size());
    }
    double operator()(const TraceTask&) const { return of_user; }
    double operator()(const RunFileTask& task) const { return of_user + of(task.problem); }
    double operator()(const WarpsTask& task) const
    {
        return 30 + of(task.job.problem);
    } // compiles two forms of the kernel
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
    return std::visit(Namer(), task);
}

std::chrono::seconds expected(const Task& task, const MachineFacts& machine)
{
    const double seconds = std::visit(Reckoner{machine}, task);
    return std::chrono::seconds(static_cast<int64_t>(std::min(seconds, 1e6)));
}

} // namespace app
