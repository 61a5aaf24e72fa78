#include "app/cli/commands.h"

#include "model/pattern_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace app {

int evaluate_patterns(const std::filesystem::path& csv, bool check, bool json)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(csv);
    nlohmann::json list = nlohmann::json::array();
    std::size_t equal = 0;
    for (const model::PatternRow& row : rows) {
        const model::TwoFigures had = model::evaluate(row);
        const bool same = row.measured && *row.measured == had;
        equal += same;
        list.push_back({{"op", row.op}, {"width", row.pattern.width}, {"a", had.a}, {"b", had.b}});
        if (!json && (!check || !same))
            fmt::print("line {}: {} {} bytes: a {} b {}{}\n", row.line, row.op, row.pattern.width, had.a, had.b,
                       check && row.measured ? fmt::format(", measured a {} b {}", row.measured->a, row.measured->b) : "");
    }
    if (json && check)
        fmt::print("{}\n", nlohmann::json{{"equal", equal}, {"rows", rows.size()}}.dump(2));
    else if (json)
        fmt::print("{}\n", list.dump(2));
    else if (check)
        fmt::print("{} of {}\n", equal, rows.size());
    return !check || equal == rows.size() ? 0 : 1;
}

} // namespace app
