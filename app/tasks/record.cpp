#include "app/tasks/record.h"

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

std::string RecordTask::name() const
{
    return at_size("recording", job);
}

double RecordTask::seconds_allowed(const MachineFacts& machine) const
{
    return 10 + seconds_of(job.problem, machine);
}

} // namespace app
