#include "app/tasks/open.h"

#include "app/catalogue/recordings.h"
#include "app/tasks/trace.h"

#include "recording/file.h"

namespace app {

OpenResult open(const OpenTask& task, const TaskContext& context)
{
    if (task.stage.empty() && is_cuda_source(task.path))
        return {trace({{.file = task.path}}, context).recorded};
    if (task.stage.empty())
        return {derive(recording::read(task.path))};
    return {derive(read_shipped_recording(task.path, kernels::find_stage(context.ladder, task.stage)))};
}

} // namespace app
