#include "app/tasks/verify.h"

namespace app {

VerifyResult verify(const VerifyTask& task, const TaskContext& context)
{
    kernels::Job job = context.resolve(task.job);
    kernels::Verification worst{.ok = true, .error = 0, .total_error = 0, .tolerance = kernels::tolerance(job)};
    for (const Scales& scales : task.scales) {
        job.problem.alpha = scales.alpha;
        job.problem.beta = scales.beta;
        const kernels::Verification one = kernels::verify(context.backend(), job, task.probe, context.stop);
        worst.ok = worst.ok && one.ok;
        worst.error = one.error <= worst.error ? worst.error : one.error; // NaN wins
        worst.total_error = one.total_error <= worst.total_error ? worst.total_error : one.total_error;
    }
    return {worst};
}

StageJob at_ragged_size(const kernels::Job& job)
{
    kernels::Job ragged = job;
    ragged.problem = kernels::used_part(job.stage->operation, {.M = 131, .N = 137, .K = 43});
    return named(ragged);
}

} // namespace app
