#include "app/tasks/measure.h"

#include "job.h"

namespace app {

MeasureResult measure(const MeasureTask& task, const TaskContext& context)
{
    const kernels::Job job = context.resolve(task.job);
    kernels::Backend& backend = context.backend();
    MeasureResult result{
        .bench = backend.bench(
            job, {.seconds = task.seconds, .energy_seconds = task.energy_seconds, .library_best = task.library_best},
            context.stop)};
    result.right = result.bench.relative_error <= kernels::tolerance(job);
    result.speed = speed_figures(job, result.bench, backend.device());
    return result;
}

} // namespace app
