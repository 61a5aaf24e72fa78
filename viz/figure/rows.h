// What a figure shows, as rows of a table: for CSV and JSON. Of its marks, not of its pixels: also what had no room is there.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace viz {

struct Figure;
struct Theme;

// A bar, a point, a cell, an interval, a named shape, or words that stand in the figure. What a mark has not is left out.
struct FigureRow {
    std::string panel;                 // its id; empty: a heading
    std::string name;                  // of the mark
    std::string series;                // the stage whose it is, or the part of a bar
    std::optional<double> row, col;    // of a cell or an element
    std::optional<double> from, until; // of an interval; `from` alone: the place of a point along the axis to the right
    std::optional<double> value;       // a length, a height, a count
    std::string words;                 // as it is printed
};

std::vector<FigureRow> rows_of(const Theme& theme, const Figure& figure);

} // namespace viz
