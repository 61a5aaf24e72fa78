// The memory that one access touches: a row per 128-byte line, its four sectors, a lane's number in each word.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <cstddef>

namespace viz {

struct SectorDiagram {
    const SectorPicture& picture;
    const recording::Access& access;
    const recording::Array& array;
    const Elements& elements;
    draw::Box box;
    std::size_t lines = 0; // to leave room for; at least those of the picture
};

Colour wasted_colour(const Theme& theme); // of bytes that are moved and used by nobody

// The height that so many lines take at most, out of `room`.
float sector_diagram_height(const Theme& theme, std::size_t lines, float room);

// Fills the box, as the stage's picture. What the mouse is over is said, and a click selects its lane. It is good for this frame,
// and as long as what the diagram refers to. Marks of the first stage: "used bytes", "wasted bytes".
Panel sector_panel(const ViewFrame& frame, const StageColumn& stage, const SectorDiagram& diagram);

} // namespace viz
