#include "app/tasks/prepare.h"

namespace app {

PrepareResult prepare(const PrepareTask& task, const TaskContext& context)
{
    std::vector<kernels::Job> jobs;
    for (const StageJob& job : task.jobs)
        if (const auto found = find_job(context.ladder, job))
            jobs.push_back(*found);
    prepare(context.backend(), jobs, std::span(recorded_forms).first(task.recorded ? recorded_forms.size() : 1),
            context.stop);
    return {jobs.size()};
}

} // namespace app
