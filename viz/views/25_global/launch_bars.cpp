#include "viz/views/25_global/launch_bars.h"

#include "viz/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

struct Figures {
    const char* name;
    std::optional<double> first, second;
    NumberOrigin origin = NumberOrigin::derived;
};

std::array<Figures, 4> figures_of(const GlobalPart& first, const GlobalPart& second)
{
    const LaunchMoves a = launch_moves(*first.use), b = launch_moves(*second.use);
    const auto count = [](uint64_t value) { return std::optional(static_cast<double>(value)); };
    const auto [speed_a, speed_b] = comparable_speeds(*first.stage, *second.stage);
    return {Figures{"requests", count(a.requests), count(b.requests)},
            Figures{"sectors", count(a.sectors), count(b.sectors)}, Figures{"lines", a.lines, b.lines},
            Figures{"GFLOPS", speed_a.gflops.value(), speed_b.gflops.value(),
                    speed_a.here() && speed_b.here() ? NumberOrigin::measured : NumberOrigin::shipped}};
}

// How many times the larger one is the smaller one: "6.6 x", "same".
std::string times_of(const Figures& figures)
{
    if (!figures.first || !figures.second || *figures.first <= 0 || *figures.second <= 0)
        return "-";
    const double times = std::max(*figures.first, *figures.second) / std::min(*figures.first, *figures.second);
    return times < 1.005 ? "1 ×" : fmt::format("{:.1f} ×", times);
}

Value shown_value(const std::optional<double>& figure, Meaning meaning)
{
    return figure ? Value(number(std::round(*figure))).as(meaning) : Value("-").as(Meaning::faint);
}

} // namespace

float launch_bars_height(const Theme& theme)
{
    return 4 * draw::row_height(theme, 5);
}

void draw_launch_bars(ViewFrame& frame, const GlobalPart& first, const GlobalPart& second, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float row = box.height() / 4, text = draw::line_height(theme.text);
    const float left = box.min.x + draw::measure(theme.text, "requests").x + theme.px(26);
    const float right = box.max.x - draw::measure(theme.mono_bold, "100.0 ×").x - theme.px(8);
    const bool hovered = draw::item("launches", box);
    float y = box.min.y;
    for (const Figures& figures : figures_of(first, second)) {
        const float middle = y + (row - text) / 2;
        draw::text(list, theme.text, {box.min.x, middle}, theme.ink_quiet, figures.name);
        draw_origin(*list, figures.origin, {left - theme.px(12), y + row / 2}, theme.px(3), theme.ink_faint);
        const double most = std::max({figures.first.value_or(0), figures.second.value_or(0), 1e-9});
        const float high = std::floor((row - theme.px(3)) / 2);
        float top = y + theme.px(1);
        for (const std::size_t column : {0, 1}) {
            const std::optional<double>& figure = column == 0 ? figures.first : figures.second;
            list->AddRectFilled({left, top}, {right, top + high}, draw::empty_colour(theme));
            const float end = left + (right - left) * static_cast<float>(figure.value_or(0) / most);
            if (figure) {
                list->AddRectFilled({left, top}, {std::max(end, left + 1), top + high}, theme.accent(column));
                mark(frame.marks, fmt::format("launch:{} {}", figures.name, column), {left, top}, {end, top + high});
            }
            top += high + 1;
        }
        draw::text_right(list, theme.mono_bold, {box.max.x, middle}, theme.ink, times_of(figures));
        const float mouse = ImGui::GetMousePos().y;
        if (hovered && mouse >= y && mouse < y + row)
            frame.point_out({"global.launches",
                             {{"figure", figures.name},
                              {"first", shown_value(figures.first, of_column(0))},
                              {"second", shown_value(figures.second, of_column(1))},
                              {"times", times_of(figures)}}});
        y += row;
    }
    mark_picture(frame.marks, "launches", box);
}

} // namespace viz
