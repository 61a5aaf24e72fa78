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
void draw_k_tiles(const TilingPart& part, const MatrixFrame& matrix, uint8_t array)
{
    const Theme& theme = part.theme();
    const bool sliced = split(part.facts.k_tiles);
    std::size_t number = 0;
    for (const KTile& tile : part.facts.k_tiles) {
        ++number;
        const CellRect rect = array == 0 ? CellRect{0, tile.first, matrix.shape.rows, tile.count}
                                         : CellRect{tile.first, 0, tile.count, matrix.shape.cols};
        const draw::Box box = matrix.box_of(rect);
        if (sliced && tile.slice)
            part.list->AddRectFilled(
                box.min, box.max,
                mix(theme.panel, category_colour(theme, *tile.slice), tile.number >= 0 ? 0.55f : 0.28f));
        if (part.facts.k_tiles.size() > 1)
            part.list->AddRect(box.min, box.max, draw::with_alpha(theme.border, 0.9f));
        const draw::Box corner = array == 0 ? draw::Box{{box.min.x, box.max.y - theme.px(18)}, box.max}
                                            : draw::Box{{box.max.x - theme.px(22), box.min.y}, box.max};
        if (part.facts.k_tiles.size() < 2)
            continue;
        draw::text_in(part.list, theme.mono, corner, theme.ink_quiet, std::to_string(number));
        mark(part.marks(), fmt::format("k-tile {} of {}", number, array == 0 ? "A" : "B"), box);
    }
}

// Lines between what different blocks read.
void draw_bands(const TilingPart& part, const MatrixFrame& matrix, uint8_t array)
{
    const std::optional<CellRect>& tile = part.facts.tiling.whole_tile();
    const uint32_t size = !tile ? 0 : array == 0 ? tile->rows : tile->cols;
    const uint32_t end = array == 0 ? matrix.shape.rows : matrix.shape.cols;
    if (size == 0 || matrix.shape.wrapped)
        return;
    for (uint32_t at = (array == 0 ? tile->row : tile->col) % size; at < end; at += size) {
        const uint32_t count = std::min(size, end - at);
        const draw::Box box = matrix.box_of(array == 0 ? CellRect{at, 0, count, matrix.shape.cols}
                                                       : CellRect{0, at, matrix.shape.rows, count});
        if (box.width() > 3 && box.height() > 3)
            part.list->AddRect(box.min, box.max, part.theme().border);
    }
}

void draw_source(const TilingPart& part, const MatrixFrame& matrix, uint8_t array)
{
    const Theme& theme = part.theme();
    const TilingFacts& facts = part.facts;
    const Phase& phase = facts.current();
    if (const auto& band = facts.tiling.bands()[array].bounds; band && !matrix.shape.wrapped)
        fill_cells(part.list, matrix, {*band}, mix(theme.panel, theme.ink, 0.08f), 2);
    draw_k_tiles(part, matrix, array);
    draw_bands(part, matrix, array);
    std::vector<CellRect> marked;
    const auto fill = [&](const std::vector<CellRect>& rects, Colour colour) {
        const std::vector<CellRect> places = placed(matrix, rects);
        fill_cells(part.list, matrix, places, colour, 2);
        marked.insert(marked.end(), places.begin(), places.end());
    };
    // What is computed on, and, in a load phase, what is brought meanwhile.
    if (phase.kind != PhaseKind::store && (phase.kind != PhaseKind::load || facts.interrupts))
        fill(facts.slice[array], phase_colour(theme, phase.kind == PhaseKind::load ? PhaseKind::compute : phase.kind));
    if (phase.kind == PhaseKind::load && array < facts.now.arrays.size())
        fill(facts.now.arrays[array].read, theme.load);
    fill(facts.walk[array], theme.compute);
    if (marked.empty())
        return;
    mark(part.marks(), array == 0 ? "slice of A" : "slice of B", matrix.box_of(marked.front()));
}

// The tiles of all blocks, where each is a rectangle as large as this block's.
void draw_blocks(const TilingPart& part, const MatrixFrame& matrix)
{
    const Theme& theme = part.theme();
    const recording::Recording& recording = part.facts.tiling.recording();
    const std::optional<CellRect>& tile = part.facts.tiling.whole_tile();
    const auto own_tile = bounds(part.facts.tiling.tile_cells());
    if (!tile || !own_tile || matrix.shape.wrapped)
        return;
    for (uint32_t row = tile->row % tile->rows; row < matrix.shape.rows; row += tile->rows)
        for (uint32_t col = tile->col % tile->cols; col < matrix.shape.cols; col += tile->cols) {
            const CellRect rect{row, col, std::min(tile->rows, matrix.shape.rows - row),
                                std::min(tile->cols, matrix.shape.cols - col)};
            const draw::Box box = matrix.box_of(rect);
            if (box.width() < 3 || box.height() < 3)
                continue;
            part.list->AddRect(box.min, box.max, theme.border);
            const auto owner = owner_of(recording, row, col);
            if (!owner)
                continue;
            const std::string index = index_text(owner->block_index, recording.launch.grid);
            const bool own = rect.row == own_tile->row && rect.col == own_tile->col;
            const std::string name = plain(Message{"tiling.block_label", {{"block", index}}});
            mark(part.marks(), "tile of block " + index, box);
            if (draw::values_fit(theme, recording, matrix))
                continue; // they stand there
            const draw::Box foot{{box.min.x, box.max.y - theme.px(20)}, box.max};
            if (box.height() >= theme.px(40) &&
                draw::text_in(part.list, theme.mono, foot, own ? theme.ink : theme.ink_faint, name))
                continue;
            if (box.height() >= theme.px(24)) // else it would touch the names above
                draw::text_in(part.list, theme.mono, box, own ? theme.ink : theme.ink_faint, index);
        }
}

void draw_result(const TilingPart& part, const MatrixFrame& matrix)
{
    const Theme& theme = part.theme();
    const TilingFacts& facts = part.facts;
    fill_cells(part.list, matrix, placed(matrix, facts.tiling.tile()), mix(theme.panel, theme.ink, 0.1f), 2);
    fill_cells(part.list, matrix, placed(matrix, facts.warp_tile), mix(theme.panel, theme.ink, 0.2f), 2);
    fill_cells(part.list, matrix, placed(matrix, facts.thread_tile), mix(theme.panel, theme.ink, 0.34f), 3);
    outline_cells(part.list, matrix, placed(matrix, facts.thread_tile), theme.ink, theme.px(1));
    draw_blocks(part, matrix);
    const bool numbers = draw::values_fit(theme, facts.tiling.recording(), matrix);
    if (facts.warp_tile.size() == 1 && !matrix.shape.wrapped && !numbers) {
        const draw::Box warp = matrix.box_of(facts.warp_tile.front());
        const std::string name = plain(Message{"tiling.warp_label", {{"warp", part.focus.warp_index}}});
        draw::text_in(part.list, theme.mono, warp, theme.ink, name);
    }
    // Of another stage's selection it may be an element that no lane shown here computes.
    const auto& c = part.frame.selection.c;
    const auto holds = [&](const CellRect& rect) {
        return c->first - rect.row < rect.rows && c->second - rect.col < rect.cols;
    };
    if (c && std::ranges::any_of(facts.thread_tile, holds))
        outline_cells(part.list, matrix, placed(matrix, std::vector<Cell>{{c->first, c->second}}), theme.ink,
                      theme.px(2));
}

// Beside the example, within the tile: who would come too early for whom.
void draw_who(ImDrawList* list, const MatrixFrame& frame, const RaceExample& example, bool reads, const Theme& theme)
{
    const draw::Box cell = frame.box_of({example.cell.row, example.cell.col, 1, 1}), tile = frame.box();
    const std::string words = plain(
        {"tiling.early_pair", {{"before", example.before_warp}, {"after", example.after_warp}, {"reads", reads}}});
    const ImVec2 size = draw::measure(theme.text, words);
    const float pad = theme.px(4);
    if (size.x + 2 * pad > tile.width() || size.y + 2 * pad > tile.height())
        return;
    const float below = cell.max.y + pad, above = cell.min.y - size.y - 3 * pad;
    const ImVec2 at{std::clamp(cell.min.x, tile.min.x, tile.max.x - size.x - 2 * pad),
                    below + size.y + 2 * pad <= tile.max.y ? below : std::max(above, tile.min.y)};
    list->AddRectFilled(at, {at.x + size.x + 2 * pad, at.y + size.y + 2 * pad},
                        draw::with_alpha(theme.background, 0.9f), theme.px(3));
    draw::text(list, theme.text, {at.x + pad, at.y + pad}, reads ? theme.warning : mix(theme.ink, theme.warning, 0.5f),
               words);
}

using ValueOf = std::function<std::optional<double>(const Cell&)>;

// On the colours that the step gives to elements.
void draw_values(const TilingPart& part, const MatrixFrame& matrix, uint8_t array, const ValueOf& value)
{
    const auto has = [](const std::vector<Cell>& cells, const Cell& cell) {
        return std::ranges::find(cells, cell) != cells.end();
    };
    draw::element_values(part.list, part.theme(), matrix,
                         {part.facts.tiling.recording(), array, value, [&](const Cell& cell) {
                              return has(part.facts.lit.lane[array], cell)  ? ink_on(part.theme().ink)
                                     : has(part.facts.lit.all[array], cell) ? ink_on(part.accent())
                                                                            : part.theme().ink;
                          }});
}

} // namespace

void draw_operand(const TilingPart& part, const MatrixFrame& matrix, uint8_t array)
{
    draw_matrix(part.list, matrix, part.theme());
    array < array_C ? draw_source(part, matrix, array) : draw_result(part, matrix);
    fill_cells(part.list, matrix, placed(matrix, part.facts.lit.all[array]), part.accent(), 2);
    fill_cells(part.list, matrix, placed(matrix, part.facts.lit.lane[array]), part.theme().ink, 3);
    const recording::Recording& recording = part.facts.tiling.recording();
    draw_values(part, matrix, array, [&](const Cell& cell) -> std::optional<double> {
        if (array < array_C)
            return value_of(recording, array, cell);
        // What the lanes of the warp have added up by now.
        const bool own = std::ranges::binary_search(part.facts.warp_results, cell);
        return own && part.facts.added ? part.facts.sums.up_to(cell, *part.facts.added) : std::nullopt;
    });
}

void draw_held_values(const TilingPart& part, const MatrixFrame& matrix, uint8_t array)
{
    const BlockTiling& tiling = part.facts.tiling;
    draw_values(part, matrix, array, [&](const Cell& cell) -> std::optional<double> {
        const Origin held = tiling.contents().at(array, cell);
        return held.kind == Origin::Kind::element ? value_of(tiling.recording(), held.array, held.cell) : std::nullopt;
    });
}

void draw_races(const TilingPart& part, const MatrixFrame& frame, uint8_t array)
{
    if (part.facts.races == nullptr)
        return;
    const BarrierRaces& races = *part.facts.races;
    const Theme& theme = part.theme();
    fill_cells(part.list, frame, cover(races.overwrite.cells[array]), mix(theme.panel, theme.warning, 0.5f), 1);
    fill_cells(part.list, frame, cover(races.read.cells[array]), theme.warning, 1);
    for (const Race* race : {&races.read, &races.overwrite}) {
        if (!race->example || race->example->array != array)
            continue;
        const CellRect cell{race->example->cell.row, race->example->cell.col, 1, 1};
        outline_cells(part.list, frame, std::vector<CellRect>{cell}, theme.ink, theme.px(2));
        mark(part.marks(), race == &races.read ? "read too early" : "overwritten too early", frame.box_of(cell));
        draw_who(part.list, frame, *race->example, race == &races.read, theme);
    }
}

} // namespace viz
