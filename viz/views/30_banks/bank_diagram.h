// The picture of one shared access: a row per wavefront, a column per bank, a lane's number in each word it moves.
#pragma once

#include "viz/analysis/bank_picture.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"

#include <functional>
#include <optional>

namespace viz {

struct BankDiagram {
    const BankPicture& picture;
    const Theme& theme;
    draw::Box box;
    uint32_t selected_lane = 0;
    std::size_t rows = 0; // to leave room for; at least those of the picture
    Marks* marks = nullptr;
};

// The height that rows of that number take at most, out of `room`.
float bank_diagram_height(const Theme& theme, std::size_t rows, float room);

// Fills the box and returns the lane that the mouse is over: the selected one where it is among several. Makes one ImGui item.
std::optional<uint32_t> draw_bank_diagram(const BankDiagram& diagram);

// The largest part of the diagram in which no bank moves anything, among those that `holds` accepts.
std::optional<draw::Box> idle_box(const BankDiagram& diagram, const std::function<bool(const draw::Box&)>& holds);

} // namespace viz
