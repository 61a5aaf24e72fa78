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
                kernels::bench_baseline(backend, *baseline, task.problem, {.seconds = task.seconds}, context.stop);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const kernels::Unavailable& error) { // anything else is the task's own failure
        result.missing = error.what();
    }
    if (!task.traced || !result.missing.empty() || !baseline->needs_gpu() || baseline->precision.fp64)
        return result;
    try {
        result.kernels = backend.cublas_kernels(baseline->precision, task.problem, context.stop);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& error) { // what was timed is not lost
        result.kernels_missing = error.what();
    }
    return result;
}

} // namespace app
