#include "app/engine/run_file.h"

#include "app/engine/measure.h"
#include "app/engine/program.h"
#include "app/engine/record.h"
#include "app/engine/trace.h"

#include "gemm/size.h"
#include "injection/executed_recording.h"
#include "injection/traced_program.h"
#include "recording/recording.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <utility>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

kernels::ParameterValues values_of(const kernels::Stage& stage, const std::vector<recording::Parameter>& chosen)
{
    kernels::ParameterValues values = stage.standard_parameters();
    for (std::size_t i = 0; i < values.size(); ++i)
        if (const auto found = std::ranges::find(chosen, stage.parameters[i].name, &recording::Parameter::name);
            found != chosen.end())
            values[i] = found->value;
    if (const std::string why = stage.refusal(values); !why.empty())
        throw kernels::Error(fmt::format("{} cannot run with these parameters: {}.", stage.slug, why));
    return values;
}

// Offers each parameter's declared values, and half and twice its current value.
std::vector<FileParameter> choices_of(const kernels::Stage& stage, const kernels::ParameterValues& values,
                                      const recording::Problem& problem)
{
    std::vector<FileParameter> result;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const kernels::ParameterSpec& spec = stage.parameters[i];
        std::set<int> all(spec.choices.begin(), spec.choices.end());
        for (const int value : {values[i], values[i] / 2, values[i] * 2})
            if (value > 0)
                all.insert(value);
        FileParameter& one = result.emplace_back(FileParameter{spec.name, spec.meaning, values[i], {}});
        for (const int value : all) {
            kernels::ParameterValues other = values;
            other[i] = value;
            FileChoice& choice = one.choices.emplace_back(FileChoice{value, stage.refusal(other), {}});
            if (choice.why_not.empty())
                choice.facts = parameter_facts(stage, other, problem);
        }
    }
    return result;
}

recording::Problem problem_of(const kernels::Stage& stage, const recording::Problem& wanted)
{
    const kernels::OperationFacts& operation = kernels::facts(stage.operation);
    if (operation.is_gemm)
        return wanted;
    return kernels::used_part(stage.operation, kernels::parse_size(std::string(operation.small_size), stage.operation));
}

RunFileResult run_stage(const RunFileTask& task, const TaskContext& context)
{
    const Clock::time_point begin = Clock::now();
    const std::unique_ptr<kernels::Backend> cpu =
        // A process for users' kernels has no backend.
        context.machine.backend == nullptr ? kernels::make_cpu_backend() : nullptr;
    kernels::Backend& backend = cpu != nullptr ? *cpu : context.backend();
    const kernels::Stage stage = kernels::load_own_stage(task.file.stem().string(), *task.text);
    const kernels::ParameterValues values = values_of(stage, task.parameters);
    const kernels::Job job{&stage, values, problem_of(stage, task.problem), task.inputs};
    const bool gpu = backend.device().backend == "cuda";
    prepare(backend, std::span(&job, 1), recorded_forms, context.stop);
    RunFileResult result{.text = *task.text};
    result.compiling_milliseconds = since(begin);
    const Clock::time_point compiled = Clock::now();
    const recording::Index3 grid = stage.launch(values, job.problem).grid;
    std::vector<recording::Index3> blocks = {{0, 0, 0}};
    for (const recording::Index3& block : task.blocks)
        if (block != blocks.front() && block.x < grid.x && block.y < grid.y && block.z < grid.z)
            blocks.push_back(block);
    result.recorded = derive(backend.record(job, blocks, context.stop));
    kernels::Job ragged = job;
    ragged.problem = at_ragged_size(job).problem;
    result.check = worst_over_scales(backend, ragged, {}, context.stop);
    if (gpu && result.check->ok) {
        kernels::Job timed = job;
        timed.problem.M = timed.problem.N = timed.problem.K = 4096;
        const kernels::BenchResult bench = backend.bench(timed, {.seconds = 0.3}, context.stop);
        result.gflops = kernels::speed_figures(timed, bench, backend.device()).gflops;
    }
    result.how = gpu ? "NVRTC, " + backend.device().name : "PTX, executed without a GPU";
    result.milliseconds = since(compiled);
    result.parameters = choices_of(stage, values, job.problem);
    return result;
}

RunFileResult run_any(const RunFileTask& task, const TaskContext& context)
{
    TraceTask tracing{task.launch.value_or(traced::Request())};
    tracing.request.file = task.file;
    tracing.request.blocks = task.blocks;
    tracing.request.as_written = task.as_written;
    TraceResult traced = trace(tracing, *task.text, context);
    RunFileResult result{.recorded = std::move(traced.recorded), .text = *task.text};
    if (traced.check)
        result.check = kernels::Verification{.ok = traced.check->ok,
                                             .error = traced.check->error,
                                             .total_error = traced.check->error,
                                             .tolerance = traced.check->tolerance};
    result.warnings = std::move(traced.warnings);
    result.how = recording::is_as_executed(*result.recorded.recording) ? "machine code, without a GPU"
                                                                       : "PTX, executed without a GPU";
    result.compiling_milliseconds = traced.compiling_milliseconds;
    result.milliseconds = traced.milliseconds;
    return result;
}

RunFileResult run_program(const RunFileTask& task, const TaskContext& context)
{
    MainRecorded made = run_main(task.file, *task.text, *task.main, context);
    return {.recorded = std::move(made.recorded),
            .text = *task.text,
            .how = made.run.on_gpu ? "its own main, on this GPU" : "its own main, PTX executed without a GPU",
            .compiling_milliseconds = made.compiling_milliseconds,
            .milliseconds = made.milliseconds,
            .main = std::move(made.run)};
}

} // namespace

RunFileResult RunFileTask::run(const TaskContext& context) const
{
    RunFileTask own = *this;
    if (!own.text)
        own.text = read_source(own.file);
    if (own.main)
        return run_program(own, context);
    return kernels::is_stage_file(*own.text) ? run_stage(own, context) : run_any(own, context);
}

namespace {

// The window shows nothing before the program ends, so this limits the wait.
constexpr std::chrono::seconds most_after_recording{10};
constexpr std::size_t most_printed = std::size_t{1} << 16;

// The program's output, which is sent to the window while the program runs.
class Printed {
public:
    explicit Printed(const TaskContext& context) : context_(context) {}

    void step(std::string words)
    {
        progress_.step = std::move(words);
        context_.progress(progress_);
    }
    void take(std::string_view more)
    {
        std::string& all = progress_.printed;
        all += more;
        if (all.size() > 2 * most_printed)
            all.erase(0, all.size() - most_printed);
        context_.progress(progress_);
    }
    const std::string& text() const { return progress_.printed; }

private:
    const TaskContext& context_;
    Progress progress_;
};

// Returns an entry for a launch, which was observed with or without a GPU. `work`: see ProgramLaunch.
ProgramLaunch launch_of(const auto& launch, double work)
{
    return {.name = launch.name,
            .kernel = injection::short_name(launch.name),
            .launch = launch.launch,
            .shared_bytes = launch.resources.shared_bytes_per_block,
            .count = launch.count,
            .first = launch.first,
            .first_of_kernel = launch.first_of_name,
            .work = work};
}

MainRecorded run_without_gpu(HostProgramTask task, const ChosenLaunch& chosen, Printed& printed,
                             const std::stop_token& stop)
{
    task.request.kernel = chosen.kernel.empty() ? "" : exactly(chosen.kernel);
    task.launch = chosen.kernel.empty() ? 0 : chosen.launch;
    task.output = [&](std::string_view more) { printed.take(more); };
    task.most_after_recording = most_after_recording;
    HostProgramResult result = run_host_program(
        task, [&](const std::string& sentence) { printed.step(sentence); }, stop);
    cudart::HostProgramEnd& end = result.end;
    MainRecorded made{.run = {.failures = std::move(end.failures), .status = end.status, .cut_short = end.cut_short},
                      .recorded = *std::move(result.recorded),
                      .compiling_milliseconds = result.compiling_milliseconds,
                      .milliseconds = end.recorded->traced.milliseconds};
    for (std::size_t i = 0; i < end.launches.size(); ++i) {
        made.run.launches.push_back(launch_of(end.launches[i], static_cast<double>(end.launches[i].steps)));
        if (end.launches[i].first <= end.recorded->number)
            made.run.recorded = end.launches[i].name == end.recorded->name ? i : made.run.recorded;
    }
    return made;
}

// Runs the program twice: to list its launches, and to record one of them.
MainRecorded run_with_gpu(const HostProgramTask& task, const ChosenLaunch& chosen, Printed& printed,
                          const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    const kernels::TemporaryFolder folder;
    const Clock::time_point begin = Clock::now();
    build_for_gpu(task, folder / "program");
    MainRecorded made{.run = {.on_gpu = true}, .recorded = {}};
    made.compiling_milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    injection::TracedProgram program{.command = {(folder / "program").string()}, .gpu = chosen.gpu};
    program.output = [&](std::string_view more) { printed.take(more); };
    injection::ProgramEnd end;
    printed.step("running it, to list its kernels");
    const std::vector<injection::ListedLaunch> listed = injection::list_launches(program, end, stop);
    made.run.status = end.status;
    for (const injection::ListedLaunch& one : listed)
        made.run.launches.push_back(launch_of(one, one.time_ns));
    made.run.recorded = default_launch(listed);
    for (std::size_t i = 0; i < listed.size() && !chosen.kernel.empty(); ++i)
        if (listed[i].name == chosen.kernel && listed[i].first_of_name <= chosen.launch)
            made.run.recorded = i;
    const injection::ListedLaunch& wanted = listed.at(made.run.recorded);
    program.kernel = exactly(wanted.name);
    program.launch = wanted.first_of_name;
    program.output = [](std::string_view) {}; // the same output again
    program.most_after_recording = most_after_recording;
    printed.step("running it once more, to record " + injection::short_name(wanted.name));
    const Clock::time_point running = Clock::now();
    const injection::RawTrace trace = injection::trace_launch(program, end, stop);
    made.run.cut_short = end.cut_short;
    const recording::SourceFile compiled{std::filesystem::path(task.command.front()).filename().string(), *task.text};
    made.recorded =
        derive(injection::executed_recording(trace, injection::code_of(trace.cubin, trace.kernel), {}, &compiled));
    made.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - running).count();
    return made;
}

} // namespace

MainRecorded run_main(const std::filesystem::path& file, const std::string& text, const ChosenLaunch& chosen,
                      const TaskContext& context)
{
    Printed printed(context);
    printed.step("compiling and running its main");
    const HostProgramTask task{.command = {file.string()}, .request = {}, .text = text};
    MainRecorded made = chosen.on_gpu && kernels::has_gpu() ? run_with_gpu(task, chosen, printed, context.stop)
                                                            : run_without_gpu(task, chosen, printed, context.stop);
    made.run.printed = printed.text();
    return made;
}

} // namespace app
