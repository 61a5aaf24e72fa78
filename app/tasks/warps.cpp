#include "app/tasks/warps.h"

namespace app {

WarpsResult WarpsTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    return {context.backend().warp_times(resolved, watched, context.stop)};
}

std::string WarpsTask::name() const
{
    return at_size("watching the warps of", job);
}

double WarpsTask::seconds_allowed(const MachineFacts& machine) const
{
    return 30 + seconds_of(job.problem, machine); // two forms of the kernel are compiled
}

} // namespace app
