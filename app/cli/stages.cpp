#include "app/cli/commands.h"
#include "app/cli/job.h"
#include "app/cli/own_stages.h"

#include "gemm/size.h"
#include "measure/baseline.h"
#include "recording/tiles.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace app {

namespace {

nlohmann::json describe(const kernels::Stage& stage)
{
    nlohmann::json parameters = nlohmann::json::array();
    for (const kernels::ParameterSpec& parameter : stage.parameters) {
        nlohmann::json declared = nlohmann::json::array();
        for (const int choice : parameter.choices)
            declared.push_back(parameter_json(parameter.name, choice));
        parameters.push_back({{"name", parameter.name},
                              {"default", parameter_json(parameter.name, parameter.standard)},
                              {"declared", declared},
                              {"meaning", parameter.meaning}});
    }
    const kernels::OperationFacts& operation = kernels::facts(stage.operation);
    const recording::Tiles tiles = recording::tiles_named(kernels::named(stage, stage.standard_parameters()));
    const auto size = [&](const recording::Problem& problem) {
        return operation.is_gemm ? nlohmann::json(kernels::size_name(problem, stage.operation)) : nlohmann::json();
    };
    return {{"slug", stage.slug},
            {"whole_size", size(recording::whole_problem(tiles))},
            {"ragged_size", size(recording::ragged_problem(tiles))},
            {"idea", stage.idea},
            {"file", stage.file},
            {"gemm", operation.is_gemm},
            {"small_size", operation.small_size},
            {"launches", stage.second ? 2 : 1},
            {"parameters", parameters}};
}

// "BM=64 BN=128" of the standard parameters.
nlohmann::json standard_words(const nlohmann::json& stage)
{
    std::string words;
    for (const nlohmann::json& one : stage.at("parameters")) {
        const nlohmann::json& standard = one.at("default");
        words += fmt::format("{}{}={}", words.empty() ? "" : " ", one.at("name").get<std::string>(),
                             standard.is_string() ? standard.get<std::string>() : standard.dump());
    }
    return words;
}

int list_stages(Form form)
{
    Table stages("stages", "slug=stage:< | file:< | idea:< | parameters_by_default=parameters:<");
    stages.derive("parameters_by_default", standard_words);
    for (const kernels::Stage& stage : ladder_with_own())
        stages.rows.push_back(describe(stage));
    Output out(form);
    out.print(std::move(stages));
    out.say("\nTo compare with, for 'bench':\n");
    Table baselines("baselines", "slug=:< | idea=:<");
    for (const kernels::Baseline& baseline : kernels::baselines())
        baselines.add({baseline.slug, baseline.idea});
    out.print(std::move(baselines));
    out.end();
    return 0;
}

} // namespace

void add_stages_command(CLI::App& program, int& status)
{
    const auto [command, form] = add_command<Form>(program, status, "stages", "list the ladder", list_stages);
    add_form(*command, *form);
}

} // namespace app
