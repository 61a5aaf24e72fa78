#include "viz/views/70_faster/block_mapping.h"

#include "viz/draw/matrix_picture.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace viz {

BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane)
{
    // Slices of K beside each other: C belongs to the first one's threads.
    const uint32_t linear = linear_of({block.block.x, block.block.y, 0}, recording.launch.grid);
    BlockMapping mapping;
    std::vector<Cell> all, of_warp, of_thread;
    std::map<uint32_t, std::vector<Cell>> of_warps;
    for (const OwnedCell& owned : cells_of_block(recording, linear)) {
        all.push_back(owned.cell);
        of_warps[owned.thread / recording::warp_size].push_back(owned.cell);
        if (owned.thread / recording::warp_size == warp)
            of_warp.push_back(owned.cell);
        if (owned.thread == warp * recording::warp_size + lane)
            of_thread.push_back(owned.cell);
    }
    mapping.tile = bounds(all).value_or(CellRect{0, 0, 0, 0});
    mapping.warp_results = of_warp.size();
    mapping.thread_results = of_thread.size();
    mapping.warp = cover(std::move(of_warp));
    mapping.thread = cover(std::move(of_thread));
    for (auto& [number, cells] : of_warps)
        mapping.warps.push_back(cover(std::move(cells)));
    std::vector<std::vector<CellRect>*> shifted = {&mapping.warp, &mapping.thread};
    for (std::vector<CellRect>& cells : mapping.warps)
        shifted.push_back(&cells);
    for (std::vector<CellRect>* cells : shifted)
        for (CellRect& rect : *cells) {
            rect.row -= mapping.tile.row;
            rect.col -= mapping.tile.col;
        }
    return mapping;
}

Message mapping_message(const MappingPicture& picture)
{
    return {"faster.mapping",
            {{"stage", picture.slug},
             {"rows", picture.mapping.tile.rows},
             {"cols", picture.mapping.tile.cols},
             {"warp_colour", Swatch{draw::mix(picture.theme.panel, picture.accent, 0.5f)}},
             {"warp", picture.mapping.warp_results},
             {"lane_colour", Swatch{picture.accent}},
             {"lane", picture.mapping.thread_results}}};
}

void draw_mapping(const MappingPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    const BlockMapping& mapping = picture.mapping;
    if (mapping.tile.rows == 0 || mapping.tile.cols == 0)
        return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float label = std::ceil(draw::measure(theme.mono, "0").y + theme.px(3));
    const std::string extent = fmt::format("{} × {}", mapping.tile.rows, mapping.tile.cols);
    const std::string whole = fmt::format("{}: {} per warp, {} per lane", extent, thousands(mapping.warp_results),
                                          thousands(mapping.thread_results));
    draw::text(list, theme.mono, box.min, theme.ink_quiet,
               mapping.thread_results > 0 && draw::measure(theme.mono, whole).x <= box.width() ? whole : extent);
    MatrixFrame frame{
        {box.min.x + 1, std::round(box.min.y + label)}, 1, plain_shape(mapping.tile.rows, mapping.tile.cols)};
    frame.cell = std::min((box.width() - 2) / static_cast<float>(mapping.tile.cols),
                          (box.height() - label) / static_cast<float>(mapping.tile.rows));
    draw_matrix(list, frame, theme);
    // Neighbouring warps in two tints.
    for (std::size_t warp = 0; warp < mapping.warps.size(); ++warp)
        fill_cells(list, frame, mapping.warps[warp],
                   draw::mix(theme.panel, picture.accent, warp % 2 == 0 ? 0.16f : 0.28f), 1);
    fill_cells(list, frame, mapping.warp, draw::mix(theme.panel, picture.accent, 0.5f), 1);
    fill_cells(list, frame, mapping.thread, picture.accent, 2);
}

} // namespace viz
