#include "app/tasks/measure.h"

#include "job.h"

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

std::string MeasureTask::name() const
{
    return at_size("timing", job);
}

double MeasureTask::seconds_allowed(const MachineFacts& machine) const
{
    return 20 + 4 * (seconds + energy_seconds) + seconds_of(job.problem, machine);
}

} // namespace app
