#include "viz/views/50_occupancy/speed_chart.h"

#include "viz/draw/plot.h"

#include <algorithm>

namespace viz {

std::vector<WarpsAndSpeed> warps_and_speeds(const Board& board)
{
    std::vector<WarpsAndSpeed> points;
    const auto limits =
        board.gpu.properties ? limits_of(board.gpu.properties->compute_capability) : std::optional<SmLimits>();
    if (!limits)
        return points;
    for (const RungFigures& rung : board.rungs) {
        if (rung.library || !rung.speed || !rung.launched || rung.launched->resources.registers_per_thread == 0)
            continue;
        const Residency held = residency(*limits, {.threads = rung.launched->launch.threads_per_block(),
                                                   .registers = rung.launched->resources.registers_per_thread,
                                                   .shared_bytes = rung.launched->resources.shared_bytes_per_block});
        if (held.blocks > 0)
            points.push_back({&rung, held.warps, rung.speed->gflops});
    }
    return points;
}

std::optional<std::string> draw_speed_chart(ViewFrame& frame, const std::vector<WarpsAndSpeed>& points,
                                            const draw::Box& box)
{
    if (points.empty())
        return {};
    const Theme& theme = frame.theme;
    const auto most_warps = static_cast<double>(limits_of(frame.board.gpu.properties->compute_capability)->warps);
    const auto [low, high] = std::ranges::minmax(points, {}, &WarpsAndSpeed::gflops);
    const Plot plot({0, most_warps, false, 10, "resident warps", most_warps / 4},
                    {low.gflops / 2, high.gflops * 2, true, 10, "GFLOPS of each stage"}, box, theme);
    ImDrawList* list = ImGui::GetWindowDrawList();
    plot.draw_axes(list);
    const auto shown = [&](const WarpsAndSpeed& point) -> const StageColumn* {
        for (std::size_t i = 0; i < frame.columns.size(); ++i)
            if (frame.columns[i].slug == point.rung->slug)
                return &frame.columns[i];
        return nullptr;
    };
    Curve places;
    for (const bool of_shown : {false, true})
        for (const WarpsAndSpeed& point : points) {
            const StageColumn* stage = shown(point);
            if (of_shown == (stage == nullptr))
                continue;
            const ImVec2 at = plot.at(point.warps, point.gflops);
            const float radius = theme.px(stage != nullptr ? 5.0f : 3.0f);
            list->AddCircleFilled(at, radius + theme.px(1), theme.panel);
            list->AddCircleFilled(at, radius, stage != nullptr ? theme.accent(stage->number) : theme.ink_quiet);
            mark(frame.marks, "speed of " + point.rung->slug, draw::around(at, radius));
        }
    for (const WarpsAndSpeed& point : points)
        places.points.push_back({static_cast<double>(point.warps), point.gflops});
    if (!plot.item("speed by warps", frame.marks))
        return {};
    const auto hit = plot.nearest({&places, 1}, ImGui::GetMousePos());
    if (!hit)
        return {};
    const WarpsAndSpeed& point = points[hit->point];
    frame.point_out({"occupancy.speed_point",
                     {{"stage", point.rung->slug},
                      {"warps", point.warps},
                      {"most", static_cast<uint32_t>(most_warps)},
                      {"gflops", number(point.gflops)}}});
    return ImGui::IsItemClicked() ? std::optional(point.rung->slug) : std::nullopt;
}

} // namespace viz
