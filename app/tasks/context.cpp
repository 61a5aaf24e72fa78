#include "app/tasks/context.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

StageJob named(const kernels::Job& job)
{
    return {std::string(job.stage->slug), kernels::named(*job.stage, job.parameters), job.problem, job.inputs};
}

StageJob job_of(const recording::Recording& recording)
{
    return {recording.stage, recording.parameters, recording.problem,
            recording.inputs == recording::Inputs::unknown ? recording::Inputs::random : recording.inputs};
}

std::optional<kernels::Job> find_job(const std::vector<kernels::Stage>& ladder, const StageJob& job)
{
    const auto stage = std::ranges::find(ladder, job.stage, &kernels::Stage::slug);
    if (stage == ladder.end())
        return std::nullopt;
    kernels::ParameterValues values;
    for (const kernels::ParameterSpec& parameter : stage->parameters) {
        const auto found = std::ranges::find(job.parameters, parameter.name, &recording::Parameter::name);
        if (found == job.parameters.end())
            return std::nullopt;
        values.push_back(found->value);
    }
    if (!stage->refusal(values).empty())
        return std::nullopt;
    return kernels::Job{&*stage, values, job.problem, job.inputs};
}

kernels::Backend& TaskContext::backend() const
{
    if (machine.backend == nullptr)
        throw kernels::Unavailable(machine.error);
    return *machine.backend;
}

kernels::Job TaskContext::resolve(const StageJob& job) const
{
    const std::optional<kernels::Job> found = find_job(ladder, job);
    if (!found)
        throw kernels::Error(fmt::format("This gemmscope has no stage {} with these parameters.", job.stage));
    return *found;
}

} // namespace app
