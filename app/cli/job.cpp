#include "app/cli/job.h"

#include "app/catalogue/tuned.h"
#include "app/cli/options.h"
#include "app/text/tell.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <set>
#include <utility>

namespace app {

void add_shape(CLI::App& command, JobOptions& job)
{
    command.add_option("--size", job.sizes, "N or MxNxK")->type_name("SIZE");
    command.add_option("--param", job.parameters, "a parameter of the stage, see 'stages'")->type_name("NAME=VALUE");
}

void add_job(CLI::App& command, JobOptions& job)
{
    add_shape(command, job);
    command.add_option("--backend", job.backend, "cuda or cpu; default: cuda where there is a GPU")
        ->check(CLI::IsMember({"cuda", "cpu"}));
    command.add_option("--alpha", job.alpha, "scales A*B; default 1")->check(finite);
    command.add_option("--beta", job.beta, "scales the C that was there; default 0")->check(finite);
    add_worker(command, job.worker);
    add_form(command, job.form);
}

void add_stage(CLI::App& command, JobOptions& job)
{
    command
        .add_option_function<std::string>(
            "stage", [&job](const std::string& slug) { job.stages = {slug}; }, "a stage, see 'stages'")
        ->required();
}

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

NamedOnes named_in(const std::vector<kernels::Stage>& ladder, const std::vector<std::string>& slugs)
{
    NamedOnes result;
    for (const std::string& slug : slugs)
        if (const kernels::Baseline* library = kernels::find_baseline(slug))
            result.libraries.push_back(library);
        else
            result.stages.push_back(&kernels::find_stage(ladder, slug));
    if (slugs.empty())
        for (const kernels::Stage& stage : ladder)
            result.stages.push_back(&stage);
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

namespace {

kernels::Job named_job(const std::vector<kernels::Stage>& ladder, const JobOptions& options, const char* one_size_only)
{
    const kernels::Stage& stage = kernels::find_stage(ladder, options.stages.at(0));
    const std::string size = one_size(options, kernels::facts(stage.operation).small_size, one_size_only);
    return make_job(stage, options, parse_size(size, options, stage.operation));
}

} // namespace

OneJob::OneJob(const JobOptions& options, const std::optional<std::string>& backend, const char* one_size_only)
    : ladder(ladder_with_own()), job(named_job(ladder, options, one_size_only)), engine(options.worker, backend)
{
    std::vector<kernels::Job> jobs = {job};
    use_tuned(jobs, options, engine.device());
    job = jobs.front();
}

std::vector<TableColumn> totals_columns()
{
    std::vector<TableColumn> columns;
    for (const auto& [member, group] : {std::pair{"shared_load", "shared loads"}, {"shared_store", "shared stores"}})
        for (const auto& [figure, heading] :
             {std::pair{"instructions", "instr."}, {"wavefronts", "wavefronts"}, {"conflicts", "conflicts"}})
            columns.push_back({fmt::format("{}.{}", member, figure), heading, "", group});
    for (const char* const figure : {"requests", "sectors"})
        columns.push_back({fmt::format("global.{}", figure), figure, "", "global",
                           [figure](const nlohmann::json& row) -> nlohmann::json {
                               const auto of = [&](const char* kind) {
                                   return row.at(kind).at(figure).get<uint64_t>();
                               };
                               return of("global_load") + of("global_store");
                           }});
    return columns;
}

nlohmann::json parameter_json(std::string_view name, int value)
{
    const std::string text = kernels::value_text(name, value);
    return text == std::to_string(value) ? nlohmann::json(value) : nlohmann::json(text);
}

} // namespace app
