#include "app/tasks/baseline.h"

#include <fmt/format.h>

namespace app {

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
    } catch (const kernels::Unavailable& error) { // anything else is the task's own failure
        result.missing = error.what();
    }
    if (!result.missing.empty())
        return result;
    const bool shown = !baseline->precision.fp64 || task.counted; // the window has no place for the kernels of DGEMM
    if (task.traced && baseline->needs_gpu() && shown)
        result.kernels_missing = why_it_failed(
            [&] { result.kernels = backend.cublas_kernels(baseline->precision, task.problem, context.stop); });
    if (task.counted && !baseline->needs_gpu())
        result.counters_missing =
            fmt::format("{} runs on a CPU, and counters are read of a GPU only.", baseline->title);
    else if (task.counted)
        result.counters_missing = why_it_failed(
            [&] { result.counters = backend.cublas_counters(baseline->precision, task.problem, context.stop); });
    return result;
}

} // namespace app
