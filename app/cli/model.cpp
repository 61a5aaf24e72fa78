#include "app/cli/commands.h"

#include "app/cli/interrupt.h"
#include "app/text/tell.h"
#include "model/pattern_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace app {

namespace {

constexpr std::size_t rows_at_once = 1024;

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
            write_out("line {}: {} {} bytes: a {} b {}{}\n", row.line, row.op, row.pattern.width, had.a, had.b,
                      check ? fmt::format(", measured a {} b {}", row.measured->a, row.measured->b) : "");
    }
    if (check && measured == 0)
        throw kernels::Error(
            fmt::format("No row of {} has figures in its columns a and b to compare with.", csv.string()));
    if (json && check)
        write_json(nlohmann::json{{"equal", equal},
                                  {"rows", measured},
                                  {"differences", list},
                                  {"origin", "the rules measured on an H200, beside what the file has"}});
    else if (json)
        write_json(list);
    else if (check)
        write_out("{} of {}\n", equal, measured);
    return !check || equal == measured ? 0 : 1;
}

int measure_access_patterns(const std::filesystem::path& csv, const JobOptions& options)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(csv);
    const Interrupt interrupt;
    Engine engine(options.worker, "cuda");
    nlohmann::json list = nlohmann::json::array();
    if (!options.json)
        write_out("{}\n", model::pattern_header());
    for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + rows_at_once, rows.size()));
        for (const model::PatternRow& row : engine.run(MeasurePatternsTask{{begin, end}}, interrupt.token()).rows) {
            if (options.json)
                list.push_back(to_json(row, model::evaluate(row), "counter: by the worker's GPU"));
            else
                write_out("{}\n", model::to_text(row));
        }
        std::fflush(stdout); // what was measured is kept when the rest is cut off
    }
    if (options.json)
        write_json(list);
    return 0;
}

} // namespace app
