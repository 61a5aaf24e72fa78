#include "viz/views/10_tiling/barrier_picture.h"

namespace viz {

Colour early_read_colour(const Theme& theme)
{
    return theme.warning;
}

Colour early_overwrite_colour(const Theme& theme)
{
    return draw::mix(theme.panel, theme.warning, 0.5f);
}

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
    }
}

} // namespace viz
