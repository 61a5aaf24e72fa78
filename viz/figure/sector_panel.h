// Shows the memory that an access touches: a row for each 128-byte line, with its four sectors, and in each word the
// number of the lane that uses it.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <cstddef>
#include <optional>

namespace viz {

// Valid as long as the stage that its references belong to.
struct SectorDiagram {
    SectorPicture picture;
    const recording::Access& access;
    const recording::Array& array;
    const Elements& elements;
    Box box;
    std::size_t lines = 0; // room for at least so many lines is reserved
};

Colour wasted_colour(const Theme& theme); // the colour of bytes that are moved but used by no lane

// Returns the height that this many lines need, limited to `room`.
float sector_diagram_height(const Theme& theme, std::size_t lines, float room);

// Draws the diagram as the stage's picture. The tip describes the word under the mouse, and a click selects its lane.
// Marks of the first stage: "used bytes", "wasted bytes".
Panel sector_panel(const ViewFrame& frame, const StageColumn& stage, SectorDiagram diagram);

// For a stage whose selected warp does not access shared memory: instead of banks, the sectors of global memory that
// the selected step requests, or else the nearest step that requests some. Without a warp, the reason.
Rich headline_without_banks(const StageColumn& stage, const Focus& focus);
void add_without_banks(Figure& figure, const ViewFrame& frame, const StageColumn& stage, const Focus& focus,
                       const Box& box);

} // namespace viz
