// Shows the memory that one access touches: a row for each 128-byte line, with its four sectors and the lane's number
// in each word.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <cstddef>
#include <optional>

namespace viz {

// The references belong to the stage and are valid as long as the stage is.
struct SectorDiagram {
    SectorPicture picture;
    const recording::Access& access;
    const recording::Array& array;
    const Elements& elements;
    Box box;
    std::size_t lines = 0; // reserves room for this many lines, at least for those of the picture
};

Colour wasted_colour(const Theme& theme); // the colour of bytes that are moved but used by no lane

// Returns the height that this many lines need, limited to `room`.
float sector_diagram_height(const Theme& theme, std::size_t lines, float room);

// Draws the diagram as the stage's picture. The tip describes the word under the mouse, and a click selects its lane.
// Marks of the first stage: "used bytes", "wasted bytes".
Panel sector_panel(const ViewFrame& frame, const StageColumn& stage, SectorDiagram diagram);

// Replaces the bank picture if no lane of the warp accesses shared memory. Shows the sectors of global memory requested
// by the selected step, or by the nearest step that requests some.
struct InsteadOfBanks {
    const StageColumn& stage;
    const Focus& focus; // has a warp
    // Shared tiles exist but are filled by bulk copies. Sectors of C would be mistaken for their banks.
    bool tiles = false;
    std::optional<SectorDiagram> request = {};

    InsteadOfBanks(const StageColumn& of, const Focus& at);
    Rich headline() const;
    void add(Figure& figure, const ViewFrame& frame, const Box& box) const;
};

} // namespace viz
