#include "viz/views/10_tiling/barrier_picture.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

namespace viz {

namespace {

std::string cell_name(const recording::Recording& recording, const RaceExample& example)
{
    return element_name(recording.arrays[example.array].name, {example.cell});
}

void say_summary(Prose& prose, const BlockBarriers::Summary& summary)
{
    const std::size_t all = summary.of_reads + summary.of_overwrites + summary.of_both + summary.of_nothing;
    prose.say("Of this block's ").figure(counted(all, "barrier")).say(" ");
    bool any = false;
    const auto part = [&](std::size_t count, const char* does) {
        if (count == 0)
            return;
        prose.say(any ? ", " : "").figure(std::to_string(count)).say(does);
        any = true;
    };
    part(summary.of_reads, " guard reads");
    part(summary.of_overwrites, " guard cells from being overwritten");
    part(summary.of_both, " do both");
    part(summary.of_nothing, " guard nothing that was recorded");
    prose.say(".");
}

} // namespace

Colour early_read_colour(const Theme& theme)
{
    return theme.warning;
}

Colour early_overwrite_colour(const Theme& theme)
{
    return draw::mix(theme.panel, theme.warning, 0.5f);
}

void say_races(Prose& prose, const recording::Recording& recording, const BarrierRaces& races,
               const std::optional<BlockBarriers::Summary>& summary)
{
    if (const auto& example = races.read.example) {
        prose.strong(fmt::format("Without this barrier warp {} could read {} (line {}) before warp {} has written it "
                                 "(line {}): ",
                                 example->after_warp, cell_name(recording, *example), example->after_line,
                                 example->before_warp, example->before_line));
        prose.figure(thousands(races.read.accesses)).say(" of the ").figure(thousands(races.read.all));
        prose.say(" elements that lanes read up to the next barrier come from another warp. ");
    }
    if (const auto& example = races.overwrite.example) {
        prose.strong(fmt::format("Without {} warp {} could overwrite {} (line {}) while warp {} has yet to read it "
                                 "(line {}): ",
                                 races.read.example ? "it" : "this barrier", example->after_warp,
                                 cell_name(recording, *example), example->after_line, example->before_warp,
                                 example->before_line));
        prose.figure(thousands(races.overwrite.accesses)).say(" of the ").figure(thousands(races.overwrite.all));
        prose.say(" elements that lanes store up to the next barrier are still read by another warp. ");
    }
    if (!races.guards())
        prose.strong("Nothing that was recorded would break without this barrier: ")
            .say("up to the next one, or the end, no warp reads a cell that another one wrote just before, or writes "
                 "one that another one read. ");
    if (summary)
        say_summary(prose, *summary);
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
        const ImVec2 at{frame.corner.x + frame.cell * static_cast<float>(cell.col),
                        frame.corner.y + frame.cell * static_cast<float>(cell.row)};
        mark(marks, race == &races.read ? "read too early" : "overwritten too early", at,
             {at.x + frame.cell, at.y + frame.cell});
    }
}

} // namespace viz
