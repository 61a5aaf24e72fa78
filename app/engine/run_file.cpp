#include "app/engine/run_file.h"

#include "app/engine/measure.h"
#include "app/engine/record.h"
#include "app/engine/trace.h"

#include "gemm/size.h"
#include "recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

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

std::string RunFileTask::name() const
{
    return "running " + file.filename().string();
}

double RunFileTask::seconds_allowed(const MachineFacts& machine) const
{
    return main ? any_program : seconds_of_user + seconds_of(problem, machine);
}

} // namespace app
