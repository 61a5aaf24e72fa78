#include "app/cli/counter_table.h"

#include "app/catalogue/recordings.h"
#include "app/session/counter_table.h"
#include "app/text/format.h"

#include "error.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace app {

namespace {

constexpr uint32_t largest_table_side = 1u << 20;

std::vector<std::size_t> columns_of(const std::string& text)
{
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < counter_columns().size(); ++i)
        if (text == "all" || (text == "profile" && counter_columns()[i].of_profile >= 0))
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

// The sizes that were asked for, or else the larger ones that were counted.
std::vector<uint32_t> sides_of(const std::vector<std::string>& sizes, const std::vector<uint32_t>& counted)
{
    std::vector<uint32_t> wanted;
    for (const std::string& size : sizes) {
        const Extent extent = parse_extent(size, largest_table_side);
        if (std::ranges::find(counted, extent.M) == counted.end() || extent.N != extent.M || extent.K != extent.M)
            throw kernels::Error(
                fmt::format("Nothing was counted at {}; the sizes are {}.", size, fmt::join(counted, ", ")));
        wanted.push_back(extent.M);
    }
    if (wanted.empty())
        std::ranges::copy_if(counted, std::back_inserter(wanted), [](uint32_t side) { return side >= 1024; });
    return wanted;
}

} // namespace

void add_counter_table_options(CLI::App& counters, CounterTableOptions& options)
{
    CLI::Option* table = counters.add_flag(
        "--table", options.table,
        "what was counted of the whole ladder on the GPU of the shipped recordings, and of which size");
    counters
        .add_option("--columns", options.columns, "profile (six of a memory profile), all, or names between commas")
        ->needs(table);
    counters.add_option("--sort", options.sort, "by this column; -NAME: the largest first")->needs(table);
    counters.add_option("--filter", options.filter, "rows in whose name or type this is")->needs(table);
}

int show_counter_table(const CounterTableOptions& options, const std::vector<std::string>& sizes, Form form)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const CataloguePtr catalogue = load_catalogue(shipped_folder(), ladder);
    const std::vector<uint32_t> sides = counted_sides(*catalogue, ladder);
    if (sides.empty())
        throw kernels::Error(fmt::format("There is no table of counters. {}",
                                         viz::plain(viz::in_sentences(catalogue->counters.missing))));
    const std::vector<uint32_t> wanted = sides_of(sizes, sides);
    const std::vector<std::size_t> columns = columns_of(options.columns);
    const bool descending = options.sort.starts_with('-');
    Output out(form);
    Table all;
    for (const uint32_t side : wanted) {
        CounterTable counted = counter_table(*catalogue, ladder, side);
        counted.rows = filtered(std::move(counted.rows), options.filter);
        if (!options.sort.empty())
            sort_rows(counted.rows, counter_column(options.sort.substr(descending ? 1 : 0)), descending);
        Table table = table_of(counted, columns);
        out.say("{}\n{}", size_text(counted.problem, kernels::Operation::gemm), text_of(table));
        all.columns = table.columns;
        std::ranges::move(table.rows, std::back_inserter(all.rows));
    }
    if (!out.is_text())
        out.print(std::move(all));
    out.end();
    return 0;
}

} // namespace app
