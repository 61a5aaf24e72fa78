#include "app/engine/measure.h"

#include "stage.h"

#include <fmt/format.h>

namespace app {

MeasureResult MeasureTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    kernels::Backend& backend = context.backend();
    MeasureResult result{
        .bench = backend.bench(resolved,
                               {.seconds = seconds, .energy_seconds = energy_seconds, .library_best = library_best},
                               context.stop)};
    result.right = result.bench.relative_error <= kernels::tolerance(resolved);
    result.speed = speed_figures(resolved, result.bench, backend.device());
    return result;
}

BaselineResult BaselineTask::run(const TaskContext& context) const
{
    const kernels::Baseline* const known = kernels::find_baseline(baseline);
    if (known == nullptr)
        throw kernels::Error(fmt::format("This gemmscope has no baseline {}.", baseline));
    kernels::Backend& backend = context.backend();
    BaselineResult result;
    try {
        if (seconds > 0)
            result.timed = kernels::bench_baseline(
                backend, *known, problem, {.seconds = seconds, .energy_seconds = energy_seconds}, context.stop);
    } catch (const kernels::Unavailable& error) { // any other error makes the task fail
        result.missing = error.what();
    }
    if (!result.missing.empty())
        return result;
    const bool shown = !known->precision.fp64 || counted; // the window does not show the kernels of DGEMM
    if (traced && known->needs_gpu() && shown)
        result.kernels_missing =
            why_it_failed([&] { result.kernels = backend.cublas_kernels(known->precision, problem, context.stop); });
    if (counted && !known->needs_gpu())
        result.counters_missing = fmt::format("{} runs on a CPU, and counters are read of a GPU only.", known->title);
    else if (counted)
        result.counters_missing =
            why_it_failed([&] { result.counters = backend.cublas_counters(known->precision, problem, context.stop); });
    return result;
}

namespace {

std::vector<kernels::Candidate> copies(const kernels::Tuning& tuning)
{
    std::vector<kernels::Candidate> ranked;
    for (const kernels::Candidate* candidate : tuning.ranking())
        ranked.push_back(*candidate);
    return ranked;
}

} // namespace

std::vector<kernels::ParameterValues> candidates_of(const TuneTask& task, const kernels::Job& job)
{
    return kernels::candidate_sets(*job.stage, job.parameters, task.fixed);
}

TuneResult TuneTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    kernels::Backend& backend = context.backend();
    kernels::Tuning tuning(*resolved.stage, resolved.problem, candidates_of(*this, resolved), options);
    TuneResult result;
    const auto tell = [&] { context.progress({tuning.steps_done(), tuning.steps(), {}, copies(tuning)}); };
    tell();
    try {
        while (!context.stop.stop_requested() && tuning.step(backend, context.stop))
            tell();
    } catch (const kernels::Cancelled&) { // keeps what was timed
    } catch (const std::exception& failure) {
        result.error = failure.what();
    }
    result.ranked = copies(tuning);
    result.done = tuning.steps_done();
    result.steps = tuning.steps();
    result.whole = tuning.finished();
    return result;
}

std::optional<Winner> winner_of(const TuneTask& task, const TuneResult& result, const kernels::Stage& stage,
                                const std::string& gpu)
{
    if (!result.whole || result.ranked.empty() || result.ranked.front().state != kernels::Candidate::State::right)
        return std::nullopt;
    return winner_of(stage, task.job.problem, result.ranked.front(), gpu);
}

} // namespace app
