#include "app/cli/commands.h"

#include "app/catalogue/tuned.h"
#include "app/text/tell.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <set>

namespace app {

recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation)
{
    recording::Problem problem = kernels::parse_size(text, operation);
    problem.alpha = options.alpha.value_or(1.0f);
    problem.beta = options.beta.value_or(0.0f);
    return problem;
}

std::string one_size(const JobOptions& options, std::string_view standard, const char* refusal)
{
    if (options.sizes.size() > 1)
        throw kernels::Error(refusal);
    return options.sizes.empty() ? std::string(standard) : options.sizes.front();
}

std::optional<recording::Index3> parse_block(const std::string& text)
{
    recording::Index3 block{0, 0, 0};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (uint32_t* const part : {&block.x, &block.y, &block.z}) {
        const auto [next, error] = std::from_chars(at, end, *part);
        if (error != std::errc())
            return {};
        if (next == end)
            return block;
        if (*next != ',')
            return {};
        at = next + 1;
    }
    return {};
}

std::vector<const kernels::Stage*> chosen_stages(const std::vector<kernels::Stage>& ladder,
                                                 const std::vector<std::string>& slugs)
{
    std::vector<const kernels::Stage*> result;
    for (const std::string& slug : slugs)
        result.push_back(&kernels::find_stage(ladder, slug));
    if (slugs.empty())
        for (const kernels::Stage& stage : ladder)
            result.push_back(&stage);
    return result;
}

NamedOnes named_in(const std::vector<kernels::Stage>& ladder, const std::vector<std::string>& slugs)
{
    NamedOnes result;
    for (const std::string& slug : slugs)
        if (const kernels::Baseline* library = kernels::find_baseline(slug))
            result.libraries.push_back(library);
        else
            result.stages.push_back(&kernels::find_stage(ladder, slug));
    if (slugs.empty())
        result.stages = chosen_stages(ladder, {});
    return result;
}

void leave_out_missing(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device)
{
    if (!options.stages.empty())
        return;
    std::set<std::string> reasons;
    std::erase_if(jobs, [&](const kernels::Job& job) {
        const std::string reason = kernels::missing_on(device, *job.stage);
        return !reason.empty() && (reasons.insert(reason), true);
    });
    for (const std::string& reason : reasons)
        tell("gemmscope: left out: {}\n", reason);
}

std::vector<StageJob> all_named(const std::vector<kernels::Job>& jobs)
{
    std::vector<StageJob> result;
    for (const kernels::Job& job : jobs)
        result.push_back(named(job));
    return result;
}

kernels::Job make_job(const kernels::Stage& stage, const JobOptions& options, recording::Problem problem)
{
    return {&stage, kernels::parse_parameters(stage, options.parameters), kernels::used_part(stage.operation, problem),
            options.inputs};
}

void use_tuned(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device)
{
    const TunedFile tuned;
    if (!tuned.broken().empty())
        tell("{}\n", tuned.broken());
    for (kernels::Job& job : jobs) {
        kernels::ParameterValues best = standard_parameters(tuned, *job.stage, device, job.problem);
        // Those of the user may not go with what suits the problem: then they go with the standard ones, or not at all.
        if (!job.stage->refusal(kernels::assigned(*job.stage, options.parameters, best)).empty())
            best = job.stage->standard_parameters();
        job.parameters = kernels::parse_parameters(*job.stage, options.parameters, std::move(best));
    }
}

nlohmann::json parameter_json(std::string_view name, int value)
{
    const std::string text = kernels::value_text(name, value);
    return text == std::to_string(value) ? nlohmann::json(value) : nlohmann::json(text);
}

} // namespace app
