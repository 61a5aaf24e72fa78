#include "viz/views/70_faster/comparison_table.h"

#include "viz/text/figures.h"
#include "viz/text/prose.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

std::string number(Measure measure, double value)
{
    if (measure == Measure::occupancy)
        return fmt::format("{:.0f} %", value * 100);
    return value == 0 ? "0" : value == std::floor(value) ? thousands(static_cast<uint64_t>(value)) : thousands(value);
}

class Painter {
public:
    Painter(const ComparisonTable& what, const draw::Box& place)
        : table(what), theme(what.theme), list(ImGui::GetWindowDrawList()), box(place), y(place.min.y)
    {
        line = std::ceil(draw::measure(theme.mono, "0").y);
        names = draw::measure(theme.text, "spilled bytes per thread").x + theme.px(10);
        numbers = draw::measure(theme.mono, "000,000").x + theme.px(8);
    }

    void heading(const char* words)
    {
        y += y == box.min.y ? 0 : theme.px(6);
        draw::text(list, theme.text, {box.min.x, y}, theme.ink_quiet, words);
        y += std::ceil(draw::measure(theme.text, "0").y + theme.px(2));
    }

    void pair(Measure measure, std::string& hint)
    {
        const std::optional<double> values[2] = {table.first.figures[measure], table.second.figures[measure]};
        const double most = std::max(values[0].value_or(0), values[1].value_or(0));
        const float height = 2 * line + theme.px(5);
        const MeasureInfo& about = info(measure);
        draw::text(list, theme.text, {box.min.x, y + line / 2}, theme.ink, about.name);
        for (int i = 0; i < 2; ++i)
            bar(measure, values[i], most, i);
        ImGui::SetCursorScreenPos({box.min.x, y});
        ImGui::PushID(static_cast<int>(measure));
        ImGui::InvisibleButton("pair", {std::max(1.0f, box.width()), height});
        ImGui::PopID();
        if (ImGui::IsItemHovered())
            hint = plain(Message{"faster.pair",
                                 {{"what", about.name},
                                  {"value", words(measure, table.first)},
                                  {"first", table.first.slug},
                                  {"other", words(measure, table.second)},
                                  {"second", table.second.slug}}});
        y += height;
    }

    float height() const { return y - box.min.y; }

private:
    static std::string why_missing(Measure measure, const ComparedRung& rung)
    {
        if (per_multiplication(measure))
            return "multiplies nothing";
        return measure == Measure::speed ? rung.speed.origin : rung.figures.why_missing;
    }

    static std::string words(Measure measure, const ComparedRung& rung)
    {
        const auto value = rung.figures[measure];
        return value ? number(measure, *value) : why_missing(measure, rung);
    }

    void bar(Measure measure, std::optional<double> value, double most, int side)
    {
        const float top = y + static_cast<float>(side) * line, left = box.min.x + names + numbers;
        const float room = std::max(theme.px(20), box.max.x - left);
        if (!value) {
            draw::text(list, theme.text, {box.min.x + names, top}, theme.ink_faint,
                       why_missing(measure, side == 0 ? table.first : table.second));
            return;
        }
        const std::string text = number(measure, *value);
        draw::text_right(list, theme.mono, {left - theme.px(8), top}, theme.ink, text);
        const float length = most == 0 ? 0 : std::round(room * static_cast<float>(*value / most));
        const draw::Box place{{left, top + theme.px(2)},
                              {left + std::max(length, *value > 0 ? 1.0f : 0.0f), top + line - theme.px(1)}};
        list->AddRectFilled(place.min, place.max, theme.accent(side == 0 ? Accent::first : Accent::second));
        mark(table.marks, fmt::format("bar:{} {}", info(measure).name, side == 0 ? "first" : "second"), place.min,
             place.max);
    }

    const ComparisonTable& table;
    const Theme& theme;
    ImDrawList* list;
    draw::Box box;
    float y, line = 0, names = 0, numbers = 0;
};

} // namespace

float draw_comparison(const ComparisonTable& table, const draw::Box& box, std::string& hint)
{
    Painter painter(table, box);
    const char* heading = nullptr;
    for (std::size_t i = 0; i < measure_count; ++i) {
        const auto measure = static_cast<Measure>(i);
        heading = info(measure).heading != nullptr ? info(measure).heading : heading;
        const auto a = table.first.figures[measure], b = table.second.figures[measure];
        if ((a && b && *a == 0 && *b == 0) || (!a && !b && per_multiplication(measure)))
            continue;
        if (heading != nullptr)
            painter.heading(heading);
        heading = nullptr;
        painter.pair(measure, hint);
    }
    const float y = box.min.y + painter.height() + table.theme.px(4);
    return painter.height() + table.theme.px(4) +
           Prose(table.theme)
               .write({"faster.source_accesses"})
               .draw(ImGui::GetWindowDrawList(), {box.min.x, y}, box.width());
}

} // namespace viz
