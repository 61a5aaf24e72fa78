// The memory that one access touches: a row per 128-byte line, its four sectors, a lane's number in each word.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"

#include <cstddef>
#include <optional>

namespace viz {

struct SectorDiagram {
    const SectorPicture& picture;
    const recording::Array& array;
    const Elements& elements;
    const Theme& theme;
    draw::Box box;
    uint32_t selected_lane = 0;
    std::size_t lines = 0; // to leave room for; at least those of the picture
    Marks* marks = nullptr;
};

Colour wasted_colour(const Theme& theme); // of bytes that are moved and used by nobody

// The height that so many lines take at most, out of `room`.
float sector_diagram_height(const Theme& theme, std::size_t lines, float room);

struct SectorHit {
    const MemoryLine* line = nullptr;
    uint32_t word = 0;
};

// Fills the box. Makes one ImGui item; returns what the mouse is over.
std::optional<SectorHit> draw_sector_diagram(const SectorDiagram& diagram);

} // namespace viz
