#include "viz/views/10_tiling/barrier_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace viz {

namespace {

// Read, or overwritten, too early if the barrier were not there.
Colour early_read_colour(const Theme& theme)
{
    return theme.warning;
}

Colour early_overwrite_colour(const Theme& theme)
{
    return mix(theme.panel, theme.warning, 0.5f);
}

// Beside the example, within the tile: who would come too early for whom.
void draw_who(ImDrawList* list, const MatrixFrame& frame, const RaceExample& example, bool reads, const Theme& theme)
{
    const draw::Box cell = frame.box_of({example.cell.row, example.cell.col, 1, 1}), tile = frame.box();
    const std::string words = fmt::format("warp {} {}, warp {} {}", example.before_warp, reads ? "stores" : "reads",
                                          example.after_warp, reads ? "reads" : "stores");
    const ImVec2 size = draw::measure(theme.text, words);
    const float pad = theme.px(4);
    if (size.x + 2 * pad > tile.width() || size.y + 2 * pad > tile.height())
        return;
    const float below = cell.max.y + pad, above = cell.min.y - size.y - 3 * pad;
    const ImVec2 at{std::clamp(cell.min.x, tile.min.x, tile.max.x - size.x - 2 * pad),
                    below + size.y + 2 * pad <= tile.max.y ? below : std::max(above, tile.min.y)};
    list->AddRectFilled(at, {at.x + size.x + 2 * pad, at.y + size.y + 2 * pad},
                        draw::with_alpha(theme.background, 0.9f), theme.px(3));
    draw::text(list, theme.text, {at.x + pad, at.y + pad},
               reads ? early_read_colour(theme) : mix(theme.ink, theme.warning, 0.5f), words);
}

} // namespace

void draw_races(ImDrawList* list, const MatrixFrame& frame, const BarrierRaces& races, uint8_t array,
                const Theme& theme, Marks* marks)
{
    fill_cells(list, frame, cover(races.overwrite.cells[array]), early_overwrite_colour(theme), 1);
    fill_cells(list, frame, cover(races.read.cells[array]), early_read_colour(theme), 1);
    for (const Race* race : {&races.read, &races.overwrite}) {
        if (!race->example || race->example->array != array)
            continue;
        const Cell& cell = race->example->cell;
        outline_cells(list, frame, std::vector<CellRect>{{cell.row, cell.col, 1, 1}}, theme.ink, theme.px(2));
        const draw::Box at = frame.box_of({cell.row, cell.col, 1, 1});
        mark(marks, race == &races.read ? "read too early" : "overwritten too early", at.min, at.max);
        draw_who(list, frame, *race->example, race == &races.read, theme);
    }
}

} // namespace viz
