// The memory that one access touches: a row per 128-byte line, its four sectors, a lane's number in each word.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <cstddef>
#include <optional>

namespace viz {

// What it refers to is the stage's, and stays as long as that.
struct SectorDiagram {
    SectorPicture picture;
    const recording::Access& access;
    const recording::Array& array;
    const Elements& elements;
    Box box;
    std::size_t lines = 0; // to leave room for; at least those of the picture
};

Colour wasted_colour(const Theme& theme); // of bytes that are moved and that no lane uses

// The height that so many lines take at most, out of `room`.
float sector_diagram_height(const Theme& theme, std::size_t lines, float room);

// Fills the box, as the stage's picture. What the mouse is over is said, and a click selects its lane. Marks of the first stage:
// "used bytes", "wasted bytes".
Panel sector_panel(const ViewFrame& frame, const StageColumn& stage, SectorDiagram diagram);

// What stands where a warp makes no access of its lanes to shared memory: the sectors of global memory that the selected step, or
// the nearest one that has some, asks for.
struct InsteadOfBanks {
    const StageColumn& stage;
    const Focus& focus; // has a warp
    bool tiles = false; // there are some, which bulk copies fill: sectors of C would be taken for their banks
    std::optional<SectorDiagram> request = {};

    InsteadOfBanks(const StageColumn& of, const Focus& at);
    Rich headline() const;
    void add(Figure& figure, const ViewFrame& frame, const Box& box) const;
};

} // namespace viz
