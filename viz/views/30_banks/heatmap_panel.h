// The heatmap of a block's shared accesses: source lines down, steps to the right, conflicts as colour and number.
#pragma once

#include "viz/draw/draw.h"
#include "viz/views/30_banks/shown_access.h"

#include <array>
#include <optional>
#include <vector>

namespace viz {

// Which steps are seen. The panels that are compared have one scale; each follows its own step, as in a race both are
// elsewhere.
struct HeatmapZoom {
    struct Place {
        double first = 0;                    // step at the left edge, not always whole
        std::optional<std::size_t> followed; // the step that was last brought into view
    };
    float cell = 0; // width of a step in pixels; 0: as wide as a k-tile, page by page
    std::array<Place, 3> places;
    std::vector<float> asked; // factors for the next frame, which knows what a step has room for; 0: all steps
};

// What panels that are compared have in common.
struct HeatmapExtent {
    uint64_t worst = 0;    // conflicts that get the far end of the colour ramp
    float label_width = 0; // of the names
    float sum_width = 0;   // of the sums at the right
    std::size_t steps = 1; // of the longer warp
    std::size_t page = 1;  // steps of the longest k-tile
};

struct HeatmapPanel {
    const BankFacts& facts;
    const recording::Recording& recording;
    const Theme& theme;
    draw::Box box;
    const HeatmapExtent& extent;
    std::size_t step = 0;  // the current one
    std::size_t place = 0; // in HeatmapZoom: which stage's
    Marks* marks = nullptr;
};

struct HeatHit {
    std::size_t row = 0, step = 0;
    const HeatCell* cell = nullptr; // null: no access of that line at that step
};

// Makes room for one more panel.
void include(HeatmapExtent& extent, const Theme& theme, const BankFacts& facts);

// Fills the box and handles the mouse: wheel zooms, dragging and Shift+wheel move. Returns what the mouse is over. One
// ImGui item, so that ImGui::IsItemClicked() tells of a click.
std::optional<HeatHit> draw_heatmap(const HeatmapPanel& panel, HeatmapZoom& zoom);

// Zooms by a factor around the current step; 0: shows all steps.
void zoom_heatmap(const HeatmapPanel& panel, HeatmapZoom& zoom, float factor);

} // namespace viz
