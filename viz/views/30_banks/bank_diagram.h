// The picture of one shared access: a row per wavefront, a column per bank, a lane's number in each word it moves.
#pragma once

#include "viz/analysis/bank_picture.h"
#include "viz/theme.h"

#include <imgui.h>

#include <optional>

namespace viz {

struct BankDiagram {
    const BankPicture& picture;
    const Theme& theme;
    uint32_t selected_lane = 0;
    std::size_t rows = 0; // to leave room for; at least those of the picture
};

// Height that `draw_bank_diagram` will take.
float bank_diagram_height(const BankDiagram& diagram);

struct BankHit {
    uint32_t lane = 0;
    const BankSpan* span = nullptr;
};

// Draws at a place on the screen and returns what the mouse is over. Makes one ImGui item.
std::optional<BankHit> draw_bank_diagram(const BankDiagram& diagram, ImVec2 place, float width);

} // namespace viz
