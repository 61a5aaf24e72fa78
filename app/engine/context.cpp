#include "app/engine/context.h"

#include "own/own_stage.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

std::string text_of(const kernels::Stage& stage)
{
    return stage.text != nullptr ? *stage.text : std::string();
}

double products(const recording::Problem& problem)
{
    return static_cast<double>(problem.M) * problem.N * std::max<uint32_t>(problem.K, 1);
}

} // namespace

StageJob named(const kernels::Job& job)
{
    return {std::string(job.stage->slug), kernels::named(*job.stage, job.parameters), job.problem, job.inputs,
            text_of(*job.stage)};
}

StageJob job_of(const recording::Recording& recording)
{
    return {recording.stage, recording.parameters, recording.problem,
            recording.inputs == recording::Inputs::unknown ? recording::Inputs::random : recording.inputs,
            own_text(recording)};
}

std::string size_of(const recording::Problem& problem)
{
    return fmt::format("{}x{}x{}", problem.M, problem.N, problem.K);
}

std::string at_size(const char* doing, const StageJob& job)
{
    return fmt::format("{} {} at {}", doing, job.stage, size_of(job.problem));
}

double seconds_of(const recording::Problem& problem, const MachineFacts& machine)
{
    return products(problem) * (machine.gpu() ? 2e-9 : 1e-6);
}

double seconds_to_follow(const StageJob& job)
{
    return 60 + products(job.problem) * 1e-6;
}

// Recognizes the ladder's own files by their name, which includes their folder.
std::string own_text(const recording::Recording& recording)
{
    const recording::SourceFile& source = recording.sources.front();
    const bool own = !recording.executed && source.name.find('/') == std::string::npos;
    return own && kernels::is_stage_file(source.text) ? source.text : std::string();
}

std::optional<kernels::Job> find_job(const std::vector<kernels::Stage>& ladder, const StageJob& job)
{
    const auto stage = std::ranges::find_if(
        ladder, [&](const kernels::Stage& one) { return one.slug == job.stage && text_of(one) == job.text; });
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
    std::optional<kernels::Job> found = find_job(ladder, job);
    if (!found && !job.text.empty()) {
        own->push_back(kernels::load_own_stage(job.stage, job.text));
        const std::vector<kernels::Stage> one = {own->back()};
        if (found = find_job(one, job); found)
            found->stage = &own->back();
    }
    if (!found)
        throw kernels::Error(fmt::format("This gemmscope has no stage {} with these parameters.", job.stage));
    return *found;
}

} // namespace app
