#include "app/session/counter_table.h"
#include "app/catalogue/recordings.h"
#include "app/cli/commands.h"
#include "app/text/format.h"
#include "app/text/tell.h"

#include "error.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

constexpr uint32_t largest_table_side = 1u << 20;

std::vector<std::size_t> columns_of(const std::string& text)
{
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < counter_columns().size(); ++i)
        if (text == "all" || (text == "profile" && counter_columns()[i].of_profile))
            result.push_back(i);
    if (!result.empty())
        return result;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        result.push_back(counter_column(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return result;
}

void print(const CounterTable& table, const std::vector<std::size_t>& columns)
{
    write_out("{}\n{:<26}{:>6}", size_text(table.problem, kernels::Operation::gemm), "", "");
    for (const std::size_t column : columns)
        write_out("{:>16}", heading_of(column));
    write_out("\n");
    std::vector<std::string> reasons;
    for (const CounterTableRow& row : table.rows) {
        write_out("{:<26}{:>6}", row.slug, row.type);
        for (const std::size_t column : columns) {
            write_out("{:>16}", figure_words(counter_columns()[column], row.figures[column]));
            if (row.figures[column])
                continue;
            const std::string why = viz::plain(viz::in_a_sentence(row.figures[column].missing()));
            if (std::ranges::find(reasons, why) == reasons.end())
                reasons.push_back(why);
        }
        write_out("\n");
    }
    for (const std::string& why : reasons)
        write_out("-: {}\n", why);
}

} // namespace

void add_counter_table_options(CLI::App& counters, CounterTableOptions& options)
{
    CLI::Option* table = counters.add_flag(
        "--table", options.table,
        "what was counted of the whole ladder on the GPU of the shipped recordings, and of which size");
    counters.add_flag("--csv", options.csv, "the table as comma-separated values")->needs(table);
    counters
        .add_option("--columns", options.columns, "profile (six of a memory profile), all, or names between commas")
        ->needs(table);
    counters.add_option("--sort", options.sort, "by this column; -NAME: the largest first")->needs(table);
    counters.add_option("--filter", options.filter, "rows in whose name or type this is")->needs(table);
}

int show_counter_table(const CounterTableOptions& options, const std::vector<std::string>& sizes, bool json)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const CataloguePtr catalogue = load_catalogue(shipped_folder(), ladder);
    const std::vector<uint32_t> sides = counted_sides(*catalogue, ladder);
    if (sides.empty())
        throw kernels::Error(fmt::format("There is no table of counters. {}",
                                         viz::plain(viz::in_sentences(catalogue->counters.missing))));
    std::string known;
    for (const uint32_t side : sides)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", side);
    std::vector<uint32_t> wanted;
    for (const std::string& size : sizes) {
        const Extent extent = parse_extent(size, largest_table_side);
        if (std::ranges::find(sides, extent.M) == sides.end() || extent.N != extent.M || extent.K != extent.M)
            throw kernels::Error(fmt::format("Nothing was counted at {}; the sizes are {}.", size, known));
        wanted.push_back(extent.M);
    }
    if (wanted.empty())
        std::ranges::copy_if(sides, std::back_inserter(wanted), [](uint32_t side) { return side >= 1024; });
    const std::vector<std::size_t> columns = columns_of(options.columns);
    const bool descending = options.sort.starts_with('-');
    nlohmann::json all = nlohmann::json::array();
    for (const uint32_t side : wanted) {
        CounterTable table = counter_table(*catalogue, ladder, side);
        table.rows = filtered(std::move(table.rows), options.filter);
        if (!options.sort.empty())
            sort_rows(table.rows, counter_column(options.sort.substr(descending ? 1 : 0)), descending);
        if (json)
            for (nlohmann::json& row : to_json(table, columns))
                all.push_back(std::move(row));
        else if (options.csv) {
            const std::string text = to_csv(table, columns);
            write_out("{}", side == wanted.front() ? text : text.substr(text.find('\n') + 1));
        } else
            print(table, columns);
    }
    if (json)
        write_json(all);
    return 0;
}

} // namespace app
