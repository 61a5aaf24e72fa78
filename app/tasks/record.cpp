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

RecordResult record(const RecordTask& task, const TaskContext& context)
{
    const kernels::Job job = context.resolve(task.job);
    kernels::Backend& backend = context.backend();
    prepare(backend, std::span(&job, 1), recorded_forms, context.stop);
    const auto begin = std::chrono::steady_clock::now();
    recording::Recording recording = backend.record(job, task.blocks, context.stop);
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
    if (!task.owners)
        recording.owner.clear();
    return {derive(std::move(recording)), passed.count()};
}

} // namespace app
