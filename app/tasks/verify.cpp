#include "app/tasks/verify.h"

namespace app {

VerifyResult VerifyTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    return {worst_over_scales(context.backend(), resolved, *this, context.stop)};
}

std::string VerifyTask::name() const
{
    return at_size("verifying", job);
}

double VerifyTask::seconds_allowed(const MachineFacts& machine) const
{
    return 10 + seconds_of(job.problem, machine);
}

kernels::Verification worst_over_scales(kernels::Backend& backend, kernels::Job job, const VerifyTask& how,
                                        const std::stop_token& stop)
{
    kernels::Verification worst{.ok = true, .error = 0, .total_error = 0, .tolerance = kernels::tolerance(job)};
    for (const Scales& scales : how.scales) {
        job.problem.alpha = scales.alpha;
        job.problem.beta = scales.beta;
        const kernels::Verification one = kernels::verify(backend, job, how.probe, stop);
        worst.ok = worst.ok && one.ok;
        worst.error = one.error <= worst.error ? worst.error : one.error; // NaN wins
        worst.total_error = one.total_error <= worst.total_error ? worst.total_error : one.total_error;
    }
    return worst;
}

StageJob at_ragged_size(const kernels::Job& job)
{
    kernels::Job ragged = job;
    ragged.problem = kernels::used_part(job.stage->operation, {.M = 131, .N = 137, .K = 43});
    return named(ragged);
}

} // namespace app
