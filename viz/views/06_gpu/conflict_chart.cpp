#include "viz/views/06_gpu/conflict_chart.h"

#include "viz/draw/plot.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

void draw_conflict_chart(const GpuPicture& picture, const draw::Box& box)
{
    if (picture.measured == nullptr || picture.measured->conflict_latency.empty())
        return;
    const Theme& theme = picture.frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<recording::ConflictLatency>& all = picture.measured->conflict_latency;
    const double most = std::ranges::max(all, {}, &recording::ConflictLatency::cycles).cycles;
    const Plot plot({0, all.back().ways + 1.0, false, 10, "lanes on one bank", 8},
                    {0, most * 1.1, false, 10, "cycles of a load"}, box, theme);
    plot.draw_axes(list);
    Curve curve{.points = {}, .colour = theme.warning, .line = 2, .radius = 3};
    for (const recording::ConflictLatency& one : all) {
        curve.points.push_back({static_cast<double>(one.ways), one.cycles});
        const ImVec2 at = plot.at(one.ways, one.cycles);
        mark(picture.frame.marks, fmt::format("conflict:{}", one.ways), {at.x - 3, at.y - 3}, {at.x + 3, at.y + 3});
    }
    plot.draw(list, curve);
    const auto say = [&](const recording::ConflictLatency& one, bool below) { // the cycles at the ends of the line
        const std::string words = fmt::format("{:.0f}", one.cycles);
        const ImVec2 size = draw::measure(theme.mono, words), at = plot.at(one.ways, one.cycles);
        const float away = theme.px(6);
        draw::text(list, theme.mono,
                   below ? ImVec2{at.x + away, at.y + away} : ImVec2{at.x - away - size.x, at.y - size.y}, theme.ink,
                   words);
    };
    say(all.front(), true);
    say(all.back(), false);
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!ImGui::IsWindowHovered() || !plot.area().holds(mouse))
        return;
    const auto away = [&](const recording::ConflictLatency& one) {
        return std::abs(plot.right().at(one.ways) - mouse.x);
    };
    const recording::ConflictLatency& one = *std::ranges::min_element(all, {}, away);
    picture.frame.point_out({"device.conflict",
                             {{"ways", one.ways},
                              {"cycles", with_decimals(one.cycles, 0)},
                              {"more", with_decimals(one.cycles - all.front().cycles, 0)},
                              {"ns", with_decimals(one.ns, 1)}}});
}

} // namespace viz
