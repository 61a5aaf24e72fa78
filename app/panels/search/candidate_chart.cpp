#include "app/panels/search/candidate_chart.h"

#include "app/panels/widgets.h"

#include "viz/figure/figure.h"

#include <fmt/format.h>

#include <cmath>

namespace app {

namespace {

// Where the rows are, from below: a little apart where another parameter begins.
std::vector<double> places_of(const std::vector<ValueSpeeds>& rows)
{
    std::vector<double> places(rows.size());
    for (std::size_t i = rows.size() - 1; i-- > 0;)
        places[i] = places[i + 1] + (rows[i].parameter == rows[i + 1].parameter ? 1 : 1.3);
    return places;
}

} // namespace

std::optional<std::size_t> draw_candidate_chart(State& state, const CandidateChart& chart, float width)
{
    const viz::Theme& theme = state.theme;
    const std::vector<kernels::Candidate>& ranked = chart.search.ranked;
    const kernels::Stage& stage = *chart.search.stage;
    const std::vector<ValueSpeeds> rows = speeds_by_value(ranked, stage.parameters.size());
    const std::size_t right = right_ones(ranked);
    if (rows.empty())
        return std::nullopt;
    const std::vector<double> places = places_of(rows);
    std::optional<std::size_t> hovered;
    using Curve = viz::CurveLayer::Curve;
    Curve best{.colour = theme.accent(), .line = 0, .radius = 5},
        chosen{.colour = theme.accent(1), .line = 0, .radius = 5},
        all{.colour = with_alpha(theme.ink_quiet, 0.45f), .line = 0, .radius = 6};
    viz::CurveLayer layer{.name = "candidates",
                          .right = {.least = ranked[right - 1].gflops,
                                    .most = ranked.front().gflops,
                                    .logarithmic = false,
                                    .title = "GFLOPS"},
                          .up = {.least = -0.5, .most = places.front() + 0.5, .logarithmic = false}};
    using Glyph = viz::CurveLayer::Glyph;
    for (std::size_t i = rows.size(); i-- > 0;) { // names of an axis ascend
        const std::string& name = stage.parameters[rows[i].parameter].name;
        const std::string value = kernels::value_text(name, rows[i].value);
        const bool begins = i == 0 || rows[i].parameter != rows[i - 1].parameter;
        layer.up.names.emplace_back(places[i], begins ? fmt::format("{}  {}", name, value) : value);
        for (const std::size_t candidate : rows[i].candidates) {
            Curve& curve = candidate == 0 ? best : candidate == chart.chosen ? chosen : all;
            curve.points.push_back({.right = ranked[candidate].gflops,
                                    .up = places[i],
                                    .name = candidate == 0 ? fmt::format("best:{} {}", name, value) : std::string(),
                                    .glyph = &curve == &all ? Glyph::tick : Glyph::square,
                                    .hover = [&hovered, candidate](const viz::ViewScene&) { hovered = candidate; }});
        }
    }
    layer.curves = {std::move(best), std::move(chosen), std::move(all)};
    const float row = line_height(theme.mono) + theme.px(2);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float height = std::ceil(row * static_cast<float>(places.front() + 1) + 3 * row);
    draw_panel(state, {.id = "candidates",
                       .box = {corner, {corner.x + width, corner.y + height}},
                       .layers = {std::move(layer)},
                       .is_picture = false});
    return hovered;
}

} // namespace app
