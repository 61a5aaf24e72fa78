// Table of the GPU's counters for every stage and library at one size. Each row has one figure per column, or the
// reason why it is missing. Used by the window and the command line.
#pragma once

#include "app/data/catalogue.h"
#include "app/data/metrics.h"
#include "app/text/table.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

std::span<const Metric> counter_columns();       // metrics of the table in column order
std::size_t counter_column(std::string_view id); // throws kernels::Error that lists the valid ids

struct CounterTableRow {
    std::string slug, type; // type: "fp32"
    bool library = false;
    std::vector<recording::Measured<double>> figures; // one per column
};

struct CounterTable {
    recording::Problem problem;
    std::vector<CounterTableRow> rows; // in the ladder's order, libraries last
};

// Returns the sizes at which the stages that multiply matrices were counted, ascending. They are cubes: M = N = K.
std::vector<uint32_t> counted_sides(const Catalogue& catalogue, const Ladder& ladder);
// Makes the table from the ladder's matrix multiplications, with the parameters that were counted, and the GPU
// libraries.
CounterTable counter_table(const Catalogue& catalogue, const Ladder& ladder, uint32_t side);

// Sorts by one column. Missing figures come last in both directions.
void sort_rows(std::vector<CounterTableRow>& rows, std::size_t column, bool descending);
// Returns the rows whose name or type contains `text`, ignoring case. Returns all rows for an empty text.
std::vector<CounterTableRow> filtered(std::vector<CounterTableRow> rows, std::string_view text);

// Returns the figure as text, for example "4.81 TB/s" or "71.2%", and "-" if it is missing.
std::string figure_words(const Metric& column, const recording::Measured<double>& figure);

// Returns the rows with the given columns, the reasons for missing figures, and the GPU of the counters.
Table table_of(const CounterTable& table, std::span<const std::size_t> columns);

bool same_sides(const recording::Problem& problem, uint32_t side); // M = N = K = side

} // namespace app
