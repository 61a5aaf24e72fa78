#include "app/cli/commands.h"

#include "app/cli/interrupt.h"
#include "measure/pattern_measurement.h"
#include "model/pattern_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <utility>

namespace app {

namespace {

nlohmann::json to_json(const model::PatternRow& row, const model::TwoFigures& had, const char* measured)
{
    nlohmann::json result = {
        {"line", row.line}, {"op", row.op}, {"width", row.pattern.width},
        {"a", had.a},       {"b", had.b},   {"origin", "derived: by the rules measured on an H200"}};
    if (row.measured)
        result["measured"] = {{"a", row.measured->a}, {"b", row.measured->b}, {"origin", measured}};
    return result;
}

} // namespace

int evaluate_patterns(const std::filesystem::path& csv, bool check, bool json)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(csv);
    nlohmann::json list = nlohmann::json::array();
    std::size_t measured = 0, equal = 0;
    for (const model::PatternRow& row : rows) {
        const model::TwoFigures had = model::evaluate(row);
        measured += row.measured.has_value();
        equal += row.measured == had;
        if (check && (!row.measured || row.measured == had))
            continue; // shown are the differences
        list.push_back(to_json(row, had, "counter: as the file has it"));
        if (!json)
            fmt::print("line {}: {} {} bytes: a {} b {}{}\n", row.line, row.op, row.pattern.width, had.a, had.b,
                       check ? fmt::format(", measured a {} b {}", row.measured->a, row.measured->b) : "");
    }
    if (check && measured == 0)
        throw kernels::Error(
            fmt::format("No row of {} has figures in its columns a and b to compare with.", csv.string()));
    if (json && check)
        fmt::print("{}\n", nlohmann::json{{"equal", equal},
                                          {"rows", measured},
                                          {"differences", list},
                                          {"origin", "the rules measured on an H200, beside what the file has"}}
                               .dump(2));
    else if (json)
        fmt::print("{}\n", list.dump(2));
    else if (check)
        fmt::print("{} of {}\n", equal, measured);
    return !check || equal == measured ? 0 : 1;
}

int measure_access_patterns(const std::filesystem::path& csv, bool json)
{
    std::vector<model::PatternRow> rows = model::read_patterns(csv);
    const Interrupt interrupt;
    bool headed = false;
    const auto print_some = [&headed](std::span<const model::PatternRow> some) {
        if (!std::exchange(headed, true))
            fmt::print("{}\n", model::pattern_header());
        for (const model::PatternRow& row : some)
            fmt::print("{}\n", model::to_text(row));
        std::fflush(stdout); // what was measured is kept when the rest is cut off
    };
    nlohmann::json list = nlohmann::json::array();
    const auto keep_some = [&list](std::span<const model::PatternRow> some) {
        for (const model::PatternRow& row : some)
            list.push_back(to_json(row, model::evaluate(row), "counter: by the GPU here"));
    };
    if (!json) {
        kernels::measure_patterns(rows, print_some, interrupt.token());
        return 0;
    }
    kernels::measure_patterns(rows, keep_some, interrupt.token());
    fmt::print("{}\n", list.dump(2));
    return 0;
}

} // namespace app
