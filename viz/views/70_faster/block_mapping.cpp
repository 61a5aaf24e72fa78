#include "viz/views/70_faster/block_mapping.h"

#include "viz/analysis/added_up.h"
#include "viz/analysis/comparison.h"
#include "viz/draw/matrix_picture.h"
#include "viz/draw/prose.h"
#include "viz/text/templates.h"

#include "recording/tiles.h"

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
    mapping.rows = mapping.tile.rows;
    mapping.cols = mapping.tile.cols;
    if (computes(recording) == Computes::products && !recording.executed) {
        const recording::Tiles named = recording::tiles_named(recording.parameters);
        const Cell c = extent_of_c(recording);
        if (mapping.tile.row + mapping.rows == c.row) // cut off by C's edge
            mapping.tile.rows = std::max(mapping.rows, named.rows);
        if (mapping.tile.col + mapping.cols == c.col)
            mapping.tile.cols = std::max(mapping.cols, named.cols);
    }
    const bool one_row = recording.executed && !recording.executed->multiplies && extent_of_c(recording).row == 1;
    mapping.scattered = one_row && all.size() < uint64_t{mapping.tile.rows} * mapping.tile.cols;
    mapping.passed_on = sums_pass_through_shared(recording, block);
    mapping.warp_results = of_warp.size();
    mapping.thread_results = of_thread.size();
    const auto in_tile = [&](std::vector<Cell> cells) {
        std::vector<CellRect> covered = cover(std::move(cells));
        for (CellRect& rect : covered) {
            rect.row -= mapping.tile.row;
            rect.col -= mapping.tile.col;
        }
        return covered;
    };
    mapping.warp = in_tile(std::move(of_warp));
    mapping.thread = in_tile(std::move(of_thread));
    for (auto& [number, cells] : of_warps)
        mapping.warps.push_back(in_tile(std::move(cells)));
    return mapping;
}

Message mapping_message(const MappingPicture& picture)
{
    if (picture.mapping.scattered)
        return {"faster.no_mapping",
                {{"warp", picture.mapping.warp_results}, {"lane", picture.mapping.thread_results}}};
    Messages outside;
    if (picture.mapping.reaches_out())
        outside.push_back({"faster.mapping_outside", {{"rows", picture.mapping.rows}, {"cols", picture.mapping.cols}}});
    if (picture.mapping.passed_on)
        outside.push_back({"faster.mapping_stored"});
    return {"faster.mapping",
            {{"stage", picture.slug},
             {"rows", picture.mapping.tile.rows},
             {"cols", picture.mapping.tile.cols},
             {"outside", outside},
             {"warp_colour", Swatch{mix(picture.theme.panel, picture.accent, 0.5f)}},
             {"warp", picture.mapping.warp_results},
             {"lane_colour", Swatch{picture.accent}},
             {"lane", picture.mapping.thread_results}}};
}

namespace {

// The part of the tile beyond the edges of C: to the right of what lies in it, and below.
void draw_outside(ImDrawList* list, const MatrixFrame& frame, const BlockMapping& mapping, const Theme& theme)
{
    const auto fill = [&](const CellRect& part) {
        const draw::Box box = frame.box_of(part);
        if (part.rows == 0 || part.cols == 0)
            return;
        list->AddRectFilled(box.min, box.max, draw::empty_colour(theme));
        draw::text_in(list, theme.text, box, theme.ink_quiet, plain({"faster.outside"}));
    };
    fill({0, mapping.cols, mapping.tile.rows, mapping.tile.cols - mapping.cols});
    fill({mapping.rows, 0, mapping.tile.rows - mapping.rows, mapping.cols});
}

} // namespace

void draw_mapping(const MappingPicture& picture, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    const BlockMapping& mapping = picture.mapping;
    if (mapping.tile.rows == 0 || mapping.tile.cols == 0)
        return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (mapping.scattered) {
        Prose(theme).write(mapping_message(picture)).draw(box.min, box.width());
        return;
    }
    const float label = draw::row_height(theme, 3, theme.mono);
    const Index rows = index(mapping.tile.rows), cols = index(mapping.tile.cols);
    const std::string titles[] = {
        plain({"faster.mapping_title",
               {{"rows", rows},
                {"cols", cols},
                {"warp", mapping.warp_results},
                {"lane", mapping.thread_results},
                {"stored", mapping.passed_on}}}),
        plain({"faster.mapping_title_short", {{"rows", rows}, {"cols", cols}, {"stored", mapping.passed_on}}})};
    draw::text(list, theme.mono, box.min, theme.ink_quiet,
               mapping.thread_results == 0 ? titles[1] : draw::first_fitting(theme.mono, box.width(), titles));
    MatrixFrame frame{
        {box.min.x + 1, std::round(box.min.y + label)}, 1, plain_shape(mapping.tile.rows, mapping.tile.cols)};
    frame.cell = std::min((box.width() - 2) / static_cast<float>(mapping.tile.cols),
                          (box.height() - label) / static_cast<float>(mapping.tile.rows));
    draw_matrix(list, frame, theme);
    if (mapping.reaches_out())
        draw_outside(list, frame, mapping, theme);
    // Neighbouring warps in two tints.
    for (std::size_t warp = 0; warp < mapping.warps.size(); ++warp)
        fill_cells(list, frame, mapping.warps[warp], mix(theme.panel, picture.accent, warp % 2 == 0 ? 0.16f : 0.28f),
                   1);
    fill_cells(list, frame, mapping.warp, mix(theme.panel, picture.accent, 0.5f), 1);
    fill_cells(list, frame, mapping.thread, picture.accent, 2);
}

} // namespace viz
