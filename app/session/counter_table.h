// What the GPU counted of every rung and library at one size, as a table: one row for each, one figure or the reason why
// there is none for each column. For the window and the command line.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/catalogue/metrics.h"
#include "app/text/table.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

std::span<const Metric> counter_columns();       // the metrics of the table, in their order there
std::size_t counter_column(std::string_view id); // Throws kernels::Error naming those that there are.

struct CounterTableRow {
    std::string slug, type; // "fp32"
    bool library = false;
    std::vector<recording::Measured<double>> figures; // one for each column
};

struct CounterTable {
    recording::Problem problem;
    std::vector<CounterTableRow> rows; // in the ladder's order, libraries last
};

// Sizes at which anything was counted that multiplies, ascending by side; cubes.
std::vector<uint32_t> counted_sides(const Catalogue& catalogue, const Ladder& ladder);
// The ladder's rungs that multiply, with the parameters that were counted, and the libraries of a GPU.
CounterTable counter_table(const Catalogue& catalogue, const Ladder& ladder, uint32_t side);

// What is missing comes last, whichever way.
void sort_rows(std::vector<CounterTableRow>& rows, std::size_t column, bool descending);
// Those in whose name or type the text is, small or capital; all where it is empty.
std::vector<CounterTableRow> filtered(std::vector<CounterTableRow> rows, std::string_view text);

// "4.81 TB/s", "71.2%", "-" where it is missing.
std::string figure_words(const Metric& column, const recording::Measured<double>& figure);

// The rows with these columns, the reasons for what is missing, and on which GPU it was counted.
Table table_of(const CounterTable& table, std::span<const std::size_t> columns);

bool same_sides(const recording::Problem& problem, uint32_t side); // M = N = K = side

} // namespace app
