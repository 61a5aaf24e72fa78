#include "viz/views/10_tiling/operands_picture.h"

#include "viz/analysis/hierarchy.h"
#include "viz/analysis/values.h"
#include "viz/draw/draw.h"
#include "viz/draw/numbers.h"
#include "viz/text/templates.h"
#include "viz/views/10_tiling/k_strip.h"
#include "viz/views/10_tiling/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace viz {

namespace {

// Lines between k-tiles, and along the tiles of C; with split-K each k-tile in the colour of its slice.
void draw_k_tiles(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix, uint8_t array)
{
    const Theme& theme = what.theme;
    const bool sliced = split(what.facts.k_tiles);
    std::size_t number = 0;
    for (const KTile& tile : what.facts.k_tiles) {
        ++number;
        const CellRect rect = array == 0 ? CellRect{0, tile.first, matrix.shape.rows, tile.count}
                                         : CellRect{tile.first, 0, tile.count, matrix.shape.cols};
        const draw::Box box = matrix.box_of(rect);
        if (sliced && tile.slice)
            list->AddRectFilled(box.min, box.max,
                                mix(theme.panel, slice_colour(theme, *tile.slice), tile.number >= 0 ? 0.55f : 0.28f));
        if (what.facts.k_tiles.size() > 1)
            list->AddRect(box.min, box.max, draw::with_alpha(theme.border, 0.9f));
        const draw::Box corner = array == 0 ? draw::Box{{box.min.x, box.max.y - theme.px(18)}, box.max}
                                            : draw::Box{{box.max.x - theme.px(22), box.min.y}, box.max};
        if (what.facts.k_tiles.size() < 2)
            continue;
        draw::text_in(list, theme.mono, corner, theme.ink_quiet, std::to_string(number));
        mark(what.marks, fmt::format("k-tile {} of {}", number, array == 0 ? "A" : "B"), box.min, box.max);
    }
}

// Lines between what different blocks read.
void draw_bands(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix, uint8_t array)
{
    const std::optional<CellRect>& tile = what.facts.tiling->whole_tile();
    const uint32_t size = !tile ? 0 : array == 0 ? tile->rows : tile->cols;
    const uint32_t end = array == 0 ? matrix.shape.rows : matrix.shape.cols;
    if (size == 0 || matrix.shape.wrapped)
        return;
    for (uint32_t at = (array == 0 ? tile->row : tile->col) % size; at < end; at += size) {
        const uint32_t count = std::min(size, end - at);
        const draw::Box box = matrix.box_of(array == 0 ? CellRect{at, 0, count, matrix.shape.cols}
                                                       : CellRect{0, at, matrix.shape.rows, count});
        if (box.width() > 3 && box.height() > 3)
            list->AddRect(box.min, box.max, what.theme.border);
    }
}

void draw_source(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix, uint8_t array)
{
    const Theme& theme = what.theme;
    const TilingFacts& facts = what.facts;
    const Phase& phase = facts.current();
    if (const auto& band = facts.tiling->bands()[array].bounds; band && !matrix.shape.wrapped)
        fill_cells(list, matrix, {*band}, mix(theme.panel, theme.ink, 0.08f), 2);
    draw_k_tiles(list, what, matrix, array);
    draw_bands(list, what, matrix, array);
    std::vector<CellRect> marked;
    const auto fill = [&](const std::vector<CellRect>& rects, Colour colour) {
        const std::vector<CellRect> places = placed(matrix, rects);
        fill_cells(list, matrix, places, colour, 2);
        marked.insert(marked.end(), places.begin(), places.end());
    };
    // What is computed on, and, in a load phase, what is brought meanwhile.
    if (phase.kind != PhaseKind::store && (phase.kind != PhaseKind::load || facts.interrupts()))
        fill(facts.slice[array], phase_colour(theme, phase.kind == PhaseKind::load ? PhaseKind::compute : phase.kind));
    if (phase.kind == PhaseKind::load && array < facts.now.arrays.size())
        fill(facts.now.arrays[array].read, theme.load);
    fill(facts.walk[array], theme.compute);
    if (marked.empty())
        return;
    const draw::Box box = matrix.box_of(marked.front());
    mark(what.marks, array == 0 ? "slice of A" : "slice of B", box.min, box.max);
}

// The tiles of all blocks, where each is a rectangle as large as this block's.
void draw_blocks(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix)
{
    const Theme& theme = what.theme;
    const recording::Recording& recording = what.facts.tiling->recording();
    const std::optional<CellRect>& tile = what.facts.tiling->whole_tile();
    const auto own_tile = bounds(what.facts.tiling->tile_cells());
    if (!tile || !own_tile || matrix.shape.wrapped)
        return;
    for (uint32_t row = tile->row % tile->rows; row < matrix.shape.rows; row += tile->rows)
        for (uint32_t col = tile->col % tile->cols; col < matrix.shape.cols; col += tile->cols) {
            const CellRect rect{row, col, std::min(tile->rows, matrix.shape.rows - row),
                                std::min(tile->cols, matrix.shape.cols - col)};
            const draw::Box box = matrix.box_of(rect);
            if (box.width() < 3 || box.height() < 3)
                continue;
            list->AddRect(box.min, box.max, theme.border);
            const auto owner = owner_of(recording, row, col);
            if (!owner)
                continue;
            const std::string index = index_text(owner->block_index, recording.launch.grid);
            const bool own = rect.row == own_tile->row && rect.col == own_tile->col;
            const std::string name = plain(Message{"tiling.block_label", {{"block", index}}});
            mark(what.marks, "tile of block " + index, box.min, box.max);
            if (draw::values_fit(theme, recording, matrix))
                continue; // they stand there
            const draw::Box foot{{box.min.x, box.max.y - theme.px(20)}, box.max};
            if (box.height() >= theme.px(40) &&
                draw::text_in(list, theme.mono, foot, own ? theme.ink : theme.ink_faint, name))
                continue;
            if (box.height() >= theme.px(24)) // else it would touch the names above
                draw::text_in(list, theme.mono, box, own ? theme.ink : theme.ink_faint, index);
        }
}

void draw_result(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix)
{
    const Theme& theme = what.theme;
    const TilingFacts& facts = what.facts;
    fill_cells(list, matrix, placed(matrix, facts.tiling->tile()), mix(theme.panel, theme.ink, 0.1f), 2);
    fill_cells(list, matrix, placed(matrix, facts.warp_tile), mix(theme.panel, theme.ink, 0.2f), 2);
    fill_cells(list, matrix, placed(matrix, facts.thread_tile), mix(theme.panel, theme.ink, 0.34f), 3);
    outline_cells(list, matrix, placed(matrix, facts.thread_tile), theme.ink, theme.px(1));
    draw_blocks(list, what, matrix);
    const bool numbers = draw::values_fit(theme, facts.tiling->recording(), matrix);
    if (facts.warp_tile.size() == 1 && !matrix.shape.wrapped && !numbers) {
        const draw::Box warp = matrix.box_of(facts.warp_tile.front());
        const std::string name = plain(Message{"tiling.warp_label", {{"warp", what.warp}}});
        draw::text_in(list, theme.mono, warp, theme.ink, name);
    }
    // Of another stage's selection it may be an element that no lane shown here computes.
    const auto holds = [&](const CellRect& rect) {
        return what.c->first - rect.row < rect.rows && what.c->second - rect.col < rect.cols;
    };
    if (what.c && std::ranges::any_of(facts.thread_tile, holds))
        outline_cells(list, matrix, placed(matrix, std::vector<Cell>{{what.c->first, what.c->second}}), theme.ink,
                      theme.px(2));
}

using ValueOf = std::function<std::optional<double>(const Cell&)>;

// On the colours that the step gives to elements.
void draw_values(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix, uint8_t array,
                 const ValueOf& value)
{
    const auto has = [](const std::vector<Cell>& cells, const Cell& cell) {
        return std::ranges::find(cells, cell) != cells.end();
    };
    draw::element_values(list, what.theme, matrix,
                         {what.facts.tiling->recording(), array, value, [&](const Cell& cell) {
                              return has(what.facts.lit.lane[array], cell)  ? ink_on(what.theme.ink)
                                     : has(what.facts.lit.all[array], cell) ? ink_on(what.accent)
                                                                            : what.theme.ink;
                          }});
}

} // namespace

void draw_operand(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix, uint8_t array)
{
    draw_matrix(list, matrix, what.theme);
    array < array_C ? draw_source(list, what, matrix, array) : draw_result(list, what, matrix);
    fill_cells(list, matrix, placed(matrix, what.facts.lit.all[array]), what.accent, 2);
    fill_cells(list, matrix, placed(matrix, what.facts.lit.lane[array]), what.theme.ink, 3);
    const recording::Recording& recording = what.facts.tiling->recording();
    draw_values(list, what, matrix, array, [&](const Cell& cell) -> std::optional<double> {
        if (array < array_C)
            return value_of(recording, array, cell);
        // What the lanes of the warp have added up by now.
        const bool own = std::ranges::binary_search(what.facts.warp_results, cell);
        return own && what.facts.added ? what.facts.sums->up_to(cell, *what.facts.added) : std::nullopt;
    });
}

void draw_held_values(ImDrawList* list, const OperandsPicture& what, const MatrixFrame& matrix, uint8_t array)
{
    const BlockTiling& tiling = *what.facts.tiling;
    draw_values(list, what, matrix, array, [&](const Cell& cell) -> std::optional<double> {
        const Origin held = tiling.contents().at(array, cell);
        return held.kind == Origin::Kind::element ? value_of(tiling.recording(), held.array, held.cell) : std::nullopt;
    });
}

} // namespace viz
