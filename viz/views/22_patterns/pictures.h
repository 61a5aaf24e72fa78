// The pictures of the view of patterns: lanes above, the banks or lines below, and what each costs.
#pragma once

#include "viz/analysis/access_pattern.h"
#include "viz/draw/camera.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace viz {

// Where lanes, the heads of banks and what is served lie, in pixels. Of global memory a column is a word of a line.
class PatternGrid {
public:
    PatternGrid(const Theme& theme, const AccessPattern& pattern, const PatternCost& cost, const Box& box);

    Box lane(int lane) const;
    Box head(int column, int columns = 1) const; // above a column, where a way ends
    Box cell(int row, int column, int columns = 1) const;
    Box row_name(int row) const;
    int columns() const { return columns_; }
    int rows() const { return rows_; } // that have room
    float left() const { return lanes_.min.x; }
    const Box& lanes() const { return lanes_; }
    const Box& cells() const { return cells_; }
    std::optional<int> lane_at(ImVec2 point) const; // whose box it is in
    int column_at(float x) const;                   // the nearest one
    int row_at(float y) const;                      // likewise, of those that are shown

private:
    int lane_count_ = 0, columns_ = 0, rows_ = 0;
    float row_ = 0;
    Box lanes_{}, heads_{}, cells_{};
};

// Each lane's word on its way from where it lay with the pattern before. Times in seconds, as ViewFrame has them.
struct PatternSlide {
    static constexpr double takes = 0.4;
    std::array<std::optional<Box>, model::lanes> from = {}; // none: the lane asked for nothing before
    double began = -1e9;

    double share(double seconds) const;
};

// One frame of the view.
struct PatternPicture {
    const ViewFrame& frame;
    const AccessPattern& pattern;
    const PatternCost& cost;
    const PatternGrid& grid;
    const PatternSlide& slide;
    Motion motion; // of wavefront after wavefront

    const Theme& theme() const { return frame.theme; }
    // Of a word of the pattern: 0, its lanes wait ... 1, it is served.
    double served(const PatternWord& word) const;
    Box box_of(const PatternWord& word,
               int lane) const; // of the lane's share of it, where it is now, once it is served
    Colour colour_of(const PatternWord& word) const;
};

// Lanes, ways and what is served.
Panel pattern_panel(const PatternPicture& picture, const Box& box);

// Of what is under the mouse, and for the status line.
Rich lane_words(const AccessPattern& pattern, const PatternCost& cost, int lane);

// The cost of every stride; `choose` is called with the one that is clicked or dragged to.
Panel stride_panel(const Theme& theme, const AccessPattern& pattern, const PatternCost& cost,
                   const std::vector<std::optional<int>>& costs, std::function<void(int)> choose, const Box& box);

// The rule beside what a GPU made of it, in cycles of an SM; none where neither has been measured for such a pattern.
std::optional<Panel> measured_panel(const ViewFrame& frame, const AccessPattern& pattern, const PatternCost& cost,
                                    const Box& box);

} // namespace viz
