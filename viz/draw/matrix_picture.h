// The position of a matrix on the screen, and the values printed in its elements. The values are those that the
// generator of the inputs gave to the kernel.
#pragma once

#include "viz/analysis/owner_map.h"
#include "viz/draw/draw.h"
#include "viz/text/message.h"

#include "recording/recording.h"

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

// Position of a matrix on the screen. A matrix with one row may be wrapped (see MapShape).
struct MatrixFrame {
    ImVec2 corner;
    float cell = 1; // width of an element in pixels
    MapShape shape;
    float stretch = 1; // height of an element relative to its width

    float cell_height() const { return cell * stretch; }
    draw::Box box() const { return box_of({0, 0, shape.rows, shape.cols}); }
    draw::Box box_of(const CellRect& rect) const
    {
        const ImVec2 low{corner.x + cell * static_cast<float>(rect.col),
                         corner.y + cell_height() * static_cast<float>(rect.row)};
        return {low,
                {low.x + cell * static_cast<float>(rect.cols), low.y + cell_height() * static_cast<float>(rect.rows)}};
    }
    // Returns the element at a point, or nothing outside of the matrix.
    std::optional<Cell> element_under(ImVec2 point) const;
};

MapShape plain_shape(uint32_t rows, uint32_t cols);

// Converts cells of the matrix to cells of the frame. They differ if the frame is wrapped.
std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<Cell>& cells);
std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<CellRect>& rects);

// Returns the value with as few digits as possible: ".4", "-9".
std::string brief_value(const recording::Recording& recording, double value);

// Returns "-0.43", or "12" if the recording was made with whole numbers.
std::string short_value(const recording::Recording& recording, double value);
std::string_view widest_value(const recording::Recording& recording);      // the widest usual value
Quantity exact_value(const recording::Recording& recording, double value); // for sentences

namespace draw {

// Returns the colour of values of A (0) or B (1) in registers. It is pale, because strong colours mean lanes and stages
// there.
Colour operand_colour(const Theme& theme, std::size_t array);

// The name and the value of an element. The name is printed above the value. If there is room for only one of them, it
// is the value, or the name if the value is empty.
struct NamedValue {
    std::string name, value;
    Colour ink = 0;
    bool named = true; // false if longer names of neighbours do not fit
};
// Returns whether the names of all elements fit into cells of this width. Names are printed for all elements or for
// none.
bool names_fit(const Theme& theme, const recording::Array& array, float width);
// Returns whether values fit into the elements of a matrix.
bool values_fit(const Theme& theme, std::string_view widest, const MatrixFrame& frame);

// Returns the first and end index of the cells that overlap the range [low, high]. The first cell is at `start`, and
// the next ones follow at a distance of `pitch`.
std::pair<uint32_t, uint32_t> in_sight(double start, double pitch, uint32_t count, double low, double high);
// Calls visit(element, box) for each element that overlaps `sight`.
void each_element(const MatrixFrame& frame, const Box& sight,
                  const std::function<void(const Cell&, const Box&)>& visit);

} // namespace draw

} // namespace viz
