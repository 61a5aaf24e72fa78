#include "app/tasks/examine.h"

#include "job.h"

#include <utility>

namespace app {

std::optional<recording::Totals> Followed::totals() const
{
    return executed ? std::optional(executed->totals()) : std::nullopt;
}

Followed follow(const kernels::Job& job, uint32_t capability, std::stop_token stop)
{
    Followed result;
    try {
        result.code = kernels::machine_code(*job.stage, job.parameters, capability);
        result.executed = kernels::executed(result.code, *job.stage, job.parameters, job.problem, std::move(stop));
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const kernels::Error& reason) {
        result.why = reason.what();
    }
    return result;
}

kernels::Job examinable(const std::vector<kernels::Stage>& ladder, const recording::Recording& recording)
{
    const std::optional<kernels::Job> job = find_job(ladder, job_of(recording));
    if (!job)
        throw kernels::Error("This recording is of a stage that this gemmscope does not have in that form; record it "
                             "again to see what is inside.");
    if (!recording::same_source(recording, kernels::describe_launch(*job, {})))
        throw kernels::Error("The stage's source has changed since this was recorded, and its machine code would not "
                             "fit the lines shown; record it here (r) to see it.");
    return *job;
}

ExamineResult examine(const ExamineTask& task, const TaskContext& context)
{
    ExamineResult result;
    try {
        if (task.recording == nullptr) {
            const kernels::Job job = context.resolve(task.job);
            result.code =
                kernels::machine_code(*job.stage, job.parameters, task.capability != 0 ? task.capability : without_gpu);
            return result;
        }
        const recording::Recording& recording = *task.recording;
        const kernels::Job job = examinable(context.ladder, recording);
        const uint32_t own = task.capability != 0 ? task.capability : recording.device.compute_capability;
        Followed followed = follow(job, own != 0 ? own : without_gpu, context.stop);
        result.code = std::move(followed.code);
        if (!followed.why.empty())
            result.missing = {{recording::Missing::failed, {followed.why}}};
        if (!followed.executed)
            return result;
        result.lines = kernels::compare_lines(recording, *followed.executed);
        result.executed = followed.executed->totals();
        result.opaque = followed.executed->opaque;
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception& reason) { // also of a recording whose sizes do not fit one another
        result.missing = {{recording::Missing::failed, {reason.what()}}};
    }
    return result;
}

} // namespace app
