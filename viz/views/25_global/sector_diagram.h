// The memory that one access touches: a row per 128-byte line, its four sectors, a lane's number in each word.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/marks.h"
#include "viz/theme.h"

#include <imgui.h>

#include <optional>
#include <string>

namespace viz {

struct SectorDiagram {
    const SectorPicture& picture;
    const recording::Array& array;
    const Elements& elements;
    const Theme& theme;
    uint32_t selected_lane = 0;
    float room = 0; // height that it may take; lines become lower, but never too low to read
    Marks* marks = nullptr;
};

Colour wasted_colour(const Theme& theme); // of bytes that are moved and used by nobody

float sector_diagram_height(const SectorDiagram& diagram);

struct SectorHit {
    const MemoryLine* line = nullptr;
    uint32_t word = 0;
};

// Makes one ImGui item; returns what the mouse is over.
std::optional<SectorHit> draw_sector_diagram(const SectorDiagram& diagram, ImVec2 place, float width);

} // namespace viz
