// Converts a figure to rows of a table, for CSV and JSON. Rows come from the figure's marks and not from pixels, so
// marks without room are included.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace viz {

struct Figure;
struct Theme;

// One row: a bar, a point, a cell, an interval, a named shape, or text of the figure. Fields that it does not have are
// empty.
struct FigureRow {
    std::string panel;              // the panel's id; empty for a heading
    std::string name;               // of the mark
    std::string series;             // the stage, or the part of a bar
    std::optional<double> row, col; // of a cell or an element
    // The times of an interval. For a point, `from` is its position on the horizontal axis.
    std::optional<double> from, until;
    std::optional<double> value; // a length, a height, a count
    std::string words;           // as printed
};

std::vector<FigureRow> rows_of(const Theme& theme, const Figure& figure);

} // namespace viz
