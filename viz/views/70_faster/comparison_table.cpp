#include "viz/views/70_faster/comparison_table.h"

#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace viz {

namespace {

std::string number_of(Measure measure, double value)
{
    if (measure == Measure::occupancy)
        return fmt::format("{:.0f} %", value * 100);
    return value == 0 ? "0" : value == std::floor(value) ? thousands(static_cast<uint64_t>(value)) : thousands(value);
}

std::string why_missing(Measure measure, const ComparedRung& rung)
{
    if (per_multiplication(measure) && rung.figures.work.mostly_edge())
        return plain({"faster.is_edge"});
    if (per_multiplication(measure))
        return plain(
            {computes(rung.recording) == Computes::unknown ? "faster.work_unknown" : "faster.multiplies_nothing"});
    return plain(in_short(measure == Measure::speed ? rung.speed.gflops.missing() : rung.figures.why_missing));
}

std::string words(Measure measure, const ComparedRung& rung)
{
    const auto value = rung.figures[measure];
    return value ? number_of(measure, *value) : why_missing(measure, rung);
}

std::vector<Measure> measures_shown(const ComparisonTable& table, std::size_t room)
{
    std::vector<Measure> shown;
    for (std::size_t i = 0; i < measure_count; ++i) {
        const auto measure = static_cast<Measure>(i);
        const auto a = table.first.figures[measure], b = table.second.figures[measure];
        if ((!a || *a == 0) && (!b || *b == 0))
            continue;
        if (per_multiplication(measure) && (!a || !b)) // cost_picture has the reason
            continue;
        if (is_ratio(measure) && table.first.figures[Measure::wavefronts] && table.second.figures[Measure::wavefronts])
            continue;
        shown.push_back(measure);
    }
    if (shown.size() > room)
        std::erase_if(shown, [&](Measure one) { return table.first.figures[one] == table.second.figures[one]; });
    shown.resize(std::min(shown.size(), room));
    return shown;
}

class TablePainter {
public:
    TablePainter(const ComparisonTable& what, const draw::Box& place)
        : table(what), theme(what.frame.theme), list(ImGui::GetWindowDrawList()), box(place)
    {
        names = draw::measure(theme.text, "local bytes per thread").x + theme.px(6);
        numbers = draw::measure(theme.mono, "000,000").x + theme.px(8);
    }

    void draw()
    {
        const float least = draw::row_height(theme, 0);
        const auto measures = measures_shown(table, static_cast<std::size_t>(std::max(box.height() / least - 1, 0.0f)));
        if (measures.empty())
            return;
        const float row =
            std::min((box.height() - least) / static_cast<float>(measures.size()), (table.alone ? 3.5f : 2) * least);
        float y = box.min.y;
        bool within = false; // the figures of the source
        for (const Measure measure : measures) {
            if (per_multiplication(measure) != within) {
                within = !within;
                if (within) {
                    draw::text(list, theme.text, {box.min.x, y}, theme.ink_faint, heading());
                    y += least;
                } else
                    list->AddRectFilled({box.min.x, y}, {box.max.x, y + 1}, theme.border);
            }
            draw_row(measure, {{box.min.x, y}, {box.max.x, y + row}});
            y += row;
        }
    }

private:
    std::string heading() const
    {
        const bool traced = table.first.recording.executed && table.second.recording.executed;
        return plain(
            {table.per == Per::launch ? "faster.of_launch" : "faster.per_multiplications", {{"traced", traced}}});
    }

    // Where one figure is not known, the other has nothing to be measured by: the reason stands there instead of the bars.
    void draw_reason(Measure measure, const draw::Box& room)
    {
        const bool first = !table.first.figures[measure];
        Prose why(theme);
        why.faint(why_missing(measure, first ? table.first : table.second));
        const float height = why.height(room.width());
        if (height <= room.height() + theme.px(4)) // else pointing at the row says it
            why.draw({room.min.x, (room.min.y + room.max.y - height) / 2}, room.width());
    }

    void draw_row(Measure measure, const draw::Box& row)
    {
        const float middle = (row.min.y + row.max.y - draw::line_height(theme.text)) / 2;
        const auto a = table.first.figures[measure], b = table.second.figures[measure];
        draw::text(list, theme.text, {row.min.x + theme.px(6), middle}, a == b ? theme.ink_faint : theme.ink,
                   *info(measure).unit != 0 ? info(measure).unit : info(measure).name);
        const double most = std::max(a.value_or(0), b.value_or(0));
        const float left = row.min.x + theme.px(6) + names + 2 * numbers + theme.px(6);
        const float height = std::max((row.height() - theme.px(3)) / 2, 1.0f);
        if (!a || !b)
            draw_reason(measure, {{left, row.min.y}, row.max});
        for (int side = 0; side < 2; ++side) {
            const auto value = side == 0 ? a : b;
            const Colour accent = theme.accent(side);
            const float right = row.min.x + theme.px(6) + names + numbers * static_cast<float>(side + 1);
            draw::text_right(list, theme.mono, {right, middle}, a == b ? theme.ink_faint : accent,
                             value ? number_of(measure, *value) : std::string("–"));
            if (!a || !b || row.max.x - left < theme.px(12))
                continue;
            const float top = row.min.y + theme.px(1) + height * static_cast<float>(side);
            const float length = most > 0 ? (row.max.x - left) * static_cast<float>(*value / most) : 0;
            const ImVec2 end{left + std::max(std::round(length), *value > 0 ? 1.0f : 0.0f), top + height};
            list->AddRectFilled({left, top}, end, accent);
            mark(table.frame.marks, fmt::format("bar:{} {}", info(measure).name, side), {left, top}, end);
        }
        if (draw::pointed_at(row))
            table.frame.point_out({"faster.pair",
                                   {{"what", info(measure).name},
                                    {"value", words(measure, table.first)},
                                    {"first", table.first.slug},
                                    {"other", words(measure, table.second)},
                                    {"second", table.second.slug},
                                    {"per", per_multiplication(measure) && table.per == Per::multiplications}}});
    }

    const ComparisonTable& table;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    float names = 0, numbers = 0;
};

} // namespace

void draw_comparison(const ComparisonTable& table, const draw::Box& box)
{
    TablePainter(table, box).draw();
}

} // namespace viz
