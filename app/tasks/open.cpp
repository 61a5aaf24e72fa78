#include "app/tasks/open.h"

#include "app/catalogue/recordings.h"
#include "app/tasks/trace.h"

#include "recording/file.h"

namespace app {

OpenResult OpenTask::run(const TaskContext& context) const
{
    if (stage.empty() && is_cuda_source(path))
        return {TraceTask{{.file = path}}.run(context).recorded};
    if (stage.empty())
        return {derive(recording::read(path))};
    return {derive(read_shipped_recording(path, kernels::find_stage(context.ladder, stage)))};
}

std::string OpenTask::name() const
{
    return of_user() ? "running a kernel of " + path.filename().string() : "opening a recording";
}

double OpenTask::seconds_allowed(const MachineFacts&) const
{
    return of_user() ? seconds_of_user : 60;
}

bool OpenTask::of_user() const
{
    return stage.empty() && is_cuda_source(path);
}

} // namespace app
