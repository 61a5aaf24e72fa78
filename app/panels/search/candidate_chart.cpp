#include "app/panels/search/candidate_chart.h"

#include "app/panels/widgets.h"
#include "app/text/format.h"
#include "viz/draw/plot.h"

#include <fmt/format.h>

#include <cmath>

namespace app {

std::optional<std::size_t> draw_candidate_chart(State& state, const CandidateChart& chart, float width)
{
    const viz::Theme& theme = state.theme;
    const std::vector<kernels::Candidate>& ranked = chart.search.ranked;
    const kernels::Stage& stage = *chart.search.stage;
    const std::vector<ValueSpeeds> rows = speeds_by_value(ranked, stage.parameters.size());
    const std::size_t right = right_ones(ranked);
    if (rows.empty())
        return std::nullopt;
    const float row = std::round(line_height(theme.mono) + theme.px(2)), gap = theme.px(5);
    const float names = text_width(theme.mono, "WMITER 256") + theme.px(12);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float left = corner.x + names, end = corner.x + width - theme.px(6);
    const viz::Scale scale(
        {.least = ranked[right - 1].gflops, .most = ranked.front().gflops, .logarithmic = false, .title = {}}, left,
        end);
    std::size_t groups = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        groups += i == 0 || rows[i].parameter != rows[i - 1].parameter;
    const float bottom = corner.y + row * static_cast<float>(rows.size()) + gap * static_cast<float>(groups);
    draw_text(theme.text, {corner.x, bottom + theme.px(1)}, theme.ink_quiet, "GFLOPS");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    viz::draw_ticks(&list, theme, scale, {corner.y, bottom, left, end});
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    std::optional<std::size_t> hovered;
    float nearest = theme.px(5), y = corner.y;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool begins = i == 0 || rows[i].parameter != rows[i - 1].parameter;
        y += begins && i > 0 ? gap : 0;
        const std::string& name = stage.parameters[rows[i].parameter].name;
        if (begins)
            draw_text(theme.mono, {corner.x, y}, theme.ink_quiet, name);
        const std::string value = kernels::value_text(name, rows[i].value);
        const bool of_best = ranked.front().parameters[rows[i].parameter] == rows[i].value;
        draw_text_right(of_best ? theme.mono_bold : theme.mono, {left - theme.px(8), y},
                        of_best ? theme.accent() : theme.ink_quiet, value);
        const float low = y + theme.px(2), high = y + row - theme.px(2);
        for (const std::size_t candidate : rows[i].candidates) {
            const float x = scale.at(ranked[candidate].gflops);
            list.AddRectFilled({std::floor(x), low}, {std::floor(x) + theme.px(1), high},
                               with_alpha(theme.ink_quiet, 0.45f));
            if (ImGui::IsWindowHovered() && mouse.y >= y && mouse.y < y + row && std::abs(mouse.x - x) < nearest) {
                nearest = std::abs(mouse.x - x);
                hovered = candidate;
            }
        }
        const std::size_t marked[] = {0, chart.chosen.value_or(0)};
        for (const std::size_t candidate : marked)
            if (ranked[candidate].parameters[rows[i].parameter] == rows[i].value && candidate < right) {
                const float x = std::floor(scale.at(ranked[candidate].gflops));
                const ImVec2 min{x - theme.px(1), y + 1}, max{x + theme.px(2), y + row - 1};
                list.AddRectFilled(min, max, candidate == 0 ? theme.accent() : theme.accent(1));
                if (candidate == 0)
                    viz::mark(state.marks, fmt::format("best:{} {}", name, value), min, max);
            }
        y += row;
    }
    ImGui::Dummy({width, bottom - corner.y + row + theme.px(4)});
    return hovered;
}

} // namespace app
