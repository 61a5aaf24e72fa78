// The heatmap of a block's shared accesses: source lines down, steps to the right, conflicts as colour and number.
#pragma once

#include "viz/analysis/heatmap.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/theme.h"

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

namespace viz {

// Which steps are seen; shared by the panels that are compared.
struct HeatmapZoom {
    float cell = 0;           // width of a step in pixels; 0: not chosen yet
    double first = 0;         // step at the left edge, not always whole
    std::size_t followed = 0; // the current step that was last brought into view
    bool started = false;
};

struct HeatmapPanel {
    const Heatmap& map;
    const std::vector<std::string>& names; // "60 Bs load", one per row
    const std::vector<Phase>& phases;      // of the selected warp, for the k-tiles
    const Theme& theme;
    draw::Box box;
    std::size_t step = 0;  // the current one
    uint64_t worst = 0;    // conflicts that get the far end of the colour ramp
    float label_width = 0; // of the names; the same for panels that are compared
    Marks* marks = nullptr;
};

struct HeatHit {
    std::size_t row = 0, step = 0;
    const HeatCell* cell = nullptr; // null: no access of that line at that step
};

float heatmap_label_width(const Theme& theme, const std::vector<std::string>& names);

// Fills the box and handles the mouse: wheel zooms, dragging and Shift+wheel move. Returns what the mouse is over. One
// ImGui item, so that ImGui::IsItemClicked() tells of a click.
std::optional<HeatHit> draw_heatmap(const HeatmapPanel& panel, HeatmapZoom& zoom);

// Zooms by a factor around the current step; 0: shows all steps.
void zoom_heatmap(const HeatmapPanel& panel, HeatmapZoom& zoom, float factor);

} // namespace viz
