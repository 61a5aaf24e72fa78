#include "viz/views/55_roofline/speeds_chart.h"
#include "viz/text/known.h"
#include "viz/views/55_roofline/label_room.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace viz {

namespace {

// Of the cube of the same work.
double side_of_cube(const recording::Problem& problem)
{
    return std::cbrt(double{1} * problem.M * problem.N * problem.K);
}

Curve curve_of(const ChartFrame& frame, const RungFigures& rung)
{
    const Colour accent = frame.emphasis.colour(frame.theme, rung.slug);
    Curve curve{.points = {},
                .colour = accent != 0    ? accent
                          : rung.library ? frame.theme.good
                                         : frame.theme.ink_faint,
                .line = accent != 0 ? 2.5f : 1,
                .radius = accent != 0 ? 4.5f : 2.5f};
    for (const Measured<SpeedAt>& speed : rung.speeds)
        curve.points.push_back({side_of_cube(speed->problem), speed->gflops});
    return curve;
}

Plot plot_of(const ChartFrame& frame, const std::vector<Curve>& curves, const draw::Box& box)
{
    double most = 1, least_side = 1e9, most_side = 1;
    for (const Curve& curve : curves)
        for (const Curve::Point& point : curve.points) {
            most = std::max(most, point.up);
            least_side = std::min(least_side, point.right);
            most_side = std::max(most_side, point.right);
        }
    return {{std::min(least_side, most_side / 2) / 1.3, most_side * 1.3, true, 2, "M = N = K"},
            {0, most * 1.08, false, 10, shows_tensor_cores(frame) ? "GFLOPS, tensor cores" : "GFLOPS, FP32"},
            box,
            frame.theme};
}

// The chosen ones and the one under the mouse, each behind the end of its curve, or above it where the chart ends; lower where
// another's name stands.
void name_ends(const ChartFrame& frame, const Plot& plot, const std::vector<const RungFigures*>& rungs,
               const std::vector<Curve>& curves)
{
    const Theme& theme = frame.theme;
    LabelRoom room(plot.area());
    ImDrawList* list = ImGui::GetWindowDrawList();
    std::vector<std::size_t> named; // the fastest first, so that names stand in the order of the ends
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (frame.emphasis.colour(theme, rungs[i]->slug) != 0)
            named.push_back(i);
    std::ranges::sort(named, std::ranges::greater{}, [&](std::size_t i) { return curves[i].points.back().up; });
    for (const std::size_t i : named) {
        const ImVec2 end = plot.at(curves[i].points.back());
        const ImVec2 size = draw::measure(theme.text, rungs[i]->slug);
        const float edge = theme.px(3), behind = end.x + theme.px(10);
        const bool fits = behind + size.x + edge <= plot.area().max.x;
        const float left = fits ? behind : std::min(end.x, plot.area().max.x - edge) - size.x;
        for (float top = fits ? end.y - size.y / 2 : end.y - size.y - theme.px(7); top < plot.area().max.y;
             top += size.y / 2) {
            const draw::Box box{{left - edge, top}, {left + size.x + edge, top + size.y}};
            if (!room.is_free(box))
                continue;
            list->AddRectFilled(box.min, box.max, draw::with_alpha(theme.panel, 0.85f));
            draw::text(list, theme.text, {left, top}, curves[i].colour, rungs[i]->slug);
            mark(frame.marks, "name of " + rungs[i]->slug, box);
            room.take_for_words(box);
            break;
        }
    }
}

} // namespace

std::optional<std::string> draw_speeds(const ChartFrame& frame, const draw::Box& box)
{
    std::vector<const RungFigures*> rungs; // those that stand out last, over the others
    for (const bool emphasised : {false, true})
        for (const RungFigures& rung : frame.board.rungs)
            if (uses_tensor_cores(rung.type) == shows_tensor_cores(frame) && !rung.speeds.empty() &&
                rung.speeds.back()->problem.M > 1 && (frame.emphasis.colour(frame.theme, rung.slug) != 0) == emphasised)
                rungs.push_back(&rung);
    std::vector<Curve> curves;
    for (const RungFigures* rung : rungs)
        curves.push_back(curve_of(frame, *rung));
    const Plot plot = plot_of(frame, curves, box);
    ImDrawList* list = ImGui::GetWindowDrawList();
    plot.draw_axes(list);
    ImGui::PushClipRect(plot.area().min, plot.area().max, true);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        plot.draw(list, curves[i]);
        const ImVec2 end = plot.at(curves[i].points.back());
        mark(frame.marks, "speed:" + rungs[i]->slug, draw::around(end, 3));
    }
    name_ends(frame, plot, rungs, curves);
    ImGui::PopClipRect();
    if (!plot.item("speeds", frame.marks))
        return std::nullopt;
    const auto hit = plot.nearest(curves, ImGui::GetMousePos());
    return hit ? std::optional(rungs[hit->curve]->slug) : std::nullopt;
}

} // namespace viz
