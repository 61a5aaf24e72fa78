#include "app/cli/commands.h"

#include "app/catalogue/tuned.h"
#include "app/cli/tell.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

namespace app {

recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation)
{
    recording::Problem problem = kernels::parse_size(text, operation);
    problem.alpha = options.alpha.value_or(1.0f);
    problem.beta = options.beta.value_or(0.0f);
    return problem;
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

} // namespace app
