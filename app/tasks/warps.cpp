#include "app/tasks/warps.h"

namespace app {

WarpsResult watch_warps(const WarpsTask& task, const TaskContext& context)
{
    const kernels::Job job = context.resolve(task.job);
    return {context.backend().warp_times(job, task.watched, context.stop)};
}

} // namespace app
