#include "viz/views/35_layout/tile_costs.h"

#include "viz/text/figures.h"
#include "viz/text/prose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

class Table {
public:
    Table(const TileCosts& what, const draw::Box& place)
        : costs(what), theme(what.theme), list(ImGui::GetWindowDrawList()), box(place), y(place.min.y)
    {
        trying = costs.side.mapping.kind != Mapping::Kind::recorded && !costs.side.refused();
        row = std::ceil(draw::measure(theme.mono, "0").y + theme.px(7));
        label = draw::measure(theme.mono, "000 store ").x;
        const float least = draw::measure(theme.text, "conflicts").x + theme.px(14);
        const float room = box.width() - label;
        counts = room / static_cast<float>(last() + 1) >= least; // else only the conflicts
        skipped = counts ? 0 : 1;
        cell = std::min(room / static_cast<float>(last() + 1 - skipped), theme.px(120));
        for (const TileCost* cost : {&*costs.side.recorded_cost, &*costs.side.tried_cost})
            for (const LineCost& line : cost->lines)
                worst = std::max(worst, line.totals.conflicts);
    }

    void draw()
    {
        draw::text(list, theme.text, {box.min.x, y + theme.px(3)}, theme.ink_quiet, "line");
        if (counts)
            put(0, theme.text, theme.ink_quiet, "accesses");
        put(1, theme.text, theme.ink_quiet, "conflicts");
        if (trying)
            put(2, theme.text, theme.ink_quiet, "tried");
        y += row;
        for (std::size_t i = 0; i < costs.side.recorded_cost->lines.size(); ++i)
            draw_line(i);
        draw_sums();
    }

private:
    int last() const { return trying ? 2 : 1; } // column

    void put(int column, ImFont* font, Colour colour, const std::string& words) const
    {
        const float right = box.min.x + label + cell * static_cast<float>(column + 1 - skipped) - theme.px(6);
        draw::text_right(list, font, {right, y + theme.px(3)}, colour, words);
    }

    void draw_line(std::size_t index)
    {
        const LineCost& before = costs.side.recorded_cost->lines[index];
        draw::text(list, theme.mono, {box.min.x, y + theme.px(3)}, theme.ink,
                   fmt::format("{} {}", before.line, before.store ? "store" : "load"));
        if (counts)
            put(0, theme.mono, theme.ink, thousands(before.totals.instructions));
        for (int column = 1; column <= last(); ++column) {
            const LineCost& shown = column == 1 ? before : costs.side.tried_cost->lines[index];
            const float left = box.min.x + label + cell * static_cast<float>(column - skipped) + theme.px(2);
            const draw::Box face{{left, y}, {left + cell - theme.px(4), y + row - theme.px(2)}};
            const Colour colour = conflict_colour(theme, shown.totals.conflicts, worst);
            list->AddRectFilled(face.min, face.max, colour);
            put(column, theme.mono_bold, ink_on(colour), thousands(shown.totals.conflicts));
            if (costs.marks && column == last())
                costs.marks->cells.push_back({shown.line, 0, shown.totals.conflicts,
                                              static_cast<float>(shown.totals.conflicts) / static_cast<float>(worst),
                                              face.min, face.max});
        }
        y += row;
    }

    void draw_sums() const
    {
        const recording::SharedTotals &before = costs.side.recorded_cost->totals,
                                      &after = costs.side.tried_cost->totals;
        const auto coloured = [](uint64_t conflicts, Meaning none) {
            return Value(conflicts).as(conflicts > 0 ? Meaning::conflict : none);
        };
        Prose sum(theme);
        sum.write({"layout.cost",
                   {{"wavefronts", before.wavefronts}, {"conflicts", coloured(before.conflicts, Meaning::none)}}});
        if (trying)
            sum.write({"layout.cost_tried",
                       {{"wavefronts", after.wavefronts}, {"conflicts", coloured(after.conflicts, Meaning::good)}}});
        sum.draw(list, {box.min.x, y + theme.px(4)}, box.width());
    }

    const TileCosts& costs;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    float y = 0, row = 0, label = 0, cell = 0;
    uint64_t worst = 1;
    bool trying = false, counts = true;
    int skipped = 0;
};

} // namespace

void draw_tile_costs(const TileCosts& costs, const draw::Box& box)
{
    if (costs.side.recorded_cost && costs.side.tried_cost)
        Table(costs, box).draw();
    else
        Prose(costs.theme).write({"layout.counting"}).draw(ImGui::GetWindowDrawList(), box.min, box.width());
}

} // namespace viz
