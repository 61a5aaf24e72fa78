#include "app/tasks/baseline.h"

#include <fmt/format.h>

namespace app {

namespace {

// What was had before is not lost where this is not had.
template <class Part, class Work>
void had(Part& part, std::string& missing, const Work& work)
{
    try {
        part = work();
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& error) {
        missing = error.what();
    }
}

} // namespace

BaselineResult measure_baseline(const BaselineTask& task, const TaskContext& context)
{
    const kernels::Baseline* baseline = kernels::find_baseline(task.baseline);
    if (baseline == nullptr)
        throw kernels::Error(fmt::format("This gemmscope has no baseline {}.", task.baseline));
    kernels::Backend& backend = context.backend();
    BaselineResult result;
    try {
        if (task.seconds > 0)
            result.timed =
                kernels::bench_baseline(backend, *baseline, task.problem,
                                        {.seconds = task.seconds, .energy_seconds = task.energy_seconds}, context.stop);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const kernels::Unavailable& error) { // anything else is the task's own failure
        result.missing = error.what();
    }
    if (!result.missing.empty())
        return result;
    const bool shown = !baseline->precision.fp64 || task.counted; // the window has no place for the kernels of DGEMM
    if (task.traced && baseline->needs_gpu() && shown)
        had(result.kernels, result.kernels_missing,
            [&] { return backend.cublas_kernels(baseline->precision, task.problem, context.stop); });
    if (task.counted && !baseline->needs_gpu())
        result.counters_missing =
            fmt::format("{} runs on a CPU, and counters are read of a GPU only.", baseline->title);
    else if (task.counted)
        had(result.counters, result.counters_missing,
            [&] { return backend.cublas_counters(baseline->precision, task.problem, context.stop); });
    return result;
}

} // namespace app
