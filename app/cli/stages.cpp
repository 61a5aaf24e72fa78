#include "app/cli/commands.h"
#include "app/cli/own_stages.h"
#include "app/text/tell.h"

#include "gemm/size.h"
#include "measure/baseline.h"
#include "recording/tiles.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

} // namespace

int list_stages(bool json)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    nlohmann::json list = nlohmann::json::array();
    for (const kernels::Stage& stage : ladder) {
        list.push_back(describe(stage));
        if (json)
            continue;
        std::string parameters;
        for (const kernels::ParameterSpec& parameter : stage.parameters)
            parameters +=
                fmt::format(" {}={}", parameter.name, kernels::value_text(parameter.name, parameter.standard));
        write_out("{:<26}{}\n{:26}{} ·{}\n", stage.slug, stage.idea, "", stage.file, parameters);
    }
    if (json) {
        write_json(list);
        return 0;
    }
    write_out("\nTo compare with, for 'bench':\n");
    for (const kernels::Baseline& baseline : kernels::baselines())
        write_out("{:<26}{}\n", baseline.slug, baseline.idea);
    return 0;
}

} // namespace app
