#include "app/engine/record.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace app {

Recorded derive(recording::Recording recording)
{
    Recorded result{std::make_shared<const recording::Recording>(std::move(recording)), {}, {}};
    result.traffic = viz::traffic_of(*result.recording);
    result.tile = viz::reuse_tile(*result.recording);
    return result;
}

RecordResult RecordTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    kernels::Backend& backend = context.backend();
    prepare(backend, std::span(&resolved, 1), recorded_forms, context.stop);
    const auto begin = std::chrono::steady_clock::now();
    recording::Recording recording = backend.record(resolved, blocks, context.stop);
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
    if (!owners)
        recording.owner.clear();
    return {derive(std::move(recording)), passed.count()};
}

VerifyResult VerifyTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    return {worst_over_scales(context.backend(), resolved, *this, context.stop)};
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

PrepareResult PrepareTask::run(const TaskContext& context) const
{
    std::vector<kernels::Job> known;
    for (const StageJob& job : jobs)
        if (const auto found = find_job(context.ladder, job))
            known.push_back(*found);
    app::prepare(context.backend(), known, std::span(recorded_forms).first(recorded ? recorded_forms.size() : 1),
                 context.stop);
    return {known.size()};
}

} // namespace app
