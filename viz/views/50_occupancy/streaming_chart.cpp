#include "viz/views/50_occupancy/streaming_chart.h"

#include "viz/board.h"
#include "viz/draw/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace viz {

namespace {

const std::vector<recording::Streaming>* streaming_of(const Board& board)
{
    const auto& measured = board.gpu.measured;
    return measured && !measured->streaming.empty() ? &measured->streaming : nullptr;
}

} // namespace

bool has_streaming(const Board& board)
{
    return streaming_of(board) != nullptr;
}

void draw_streaming_chart(ViewFrame& frame, std::span<const WaitingCase> cases, const draw::Box& box)
{
    const std::vector<recording::Streaming>* const all = streaming_of(frame.board);
    if (all == nullptr)
        return;
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    double most = 0;
    const auto kib = [](double bytes) { return bytes / 1024; };
    double least = 1e9, widest = 1;
    for (const recording::Streaming& one : *all) {
        most = std::max(most, one.gbps);
        least = std::min(least, kib(bytes_under_way(one)));
        widest = std::max(widest, kib(bytes_under_way(one)));
    }
    for (const WaitingCase& one : cases)
        widest = std::max(widest, kib(bytes_under_way(one).has.value_or(0)));
    const Plot plot({least * 0.8, widest * 1.6, true, 4, "KiB under way on each SM"},
                    {0, most * 1.12e-3, false, 10, "TB/s from DRAM", 1}, box, theme);
    plot.draw_axes(list);
    for (const WaitingCase& one : cases) {
        const UnderWay bytes = bytes_under_way(one);
        if (!bytes.has)
            continue;
        const float x = plot.right().at(kib(*bytes.has));
        list->AddLine({x, plot.area().min.y}, {x, plot.area().max.y}, theme.accent(one.of.stage->number), theme.px(2));
        mark(one.marks, "streaming:has", {x - 1, plot.area().min.y}, {x + 1, plot.area().max.y});
    }
    std::vector<Curve> curves;
    std::vector<const recording::Streaming*> shown; // of all points, in the order of the curves
    for (const recording::Streaming& one : *all) {
        if (curves.empty() || shown.back()->width != one.width)
            curves.push_back({.points = {},
                              .colour = draw::with_alpha(
                                  theme.load, std::min(1.0f, 0.45f + 0.28f * static_cast<float>(curves.size()))),
                              .line = 2,
                              .radius = 3});
        curves.back().points.push_back({kib(bytes_under_way(one)), one.gbps * 1e-3});
        shown.push_back(&one);
        const ImVec2 at = plot.at(kib(bytes_under_way(one)), one.gbps * 1e-3);
        mark(frame.marks, fmt::format("streaming:{}:{}", one.width, one.warps_per_sm), draw::around(at, 3));
    }
    float last = std::numeric_limits<float>::max();
    for (std::size_t i = curves.size(), point = shown.size(); i-- > 0; point -= curves[i].points.size()) {
        plot.draw(list, curves[i]);
        const std::string words = fmt::format("{} B", shown[point - 1]->width);
        const ImVec2 at = plot.at(curves[i].points.back()), size = draw::measure(theme.mono, words);
        if (std::abs(at.y - last) >= size.y) {
            // Behind the curve's end, or where that is cut off, above it.
            const bool behind = at.x + theme.px(6) + size.x <= box.max.x;
            const ImVec2 place{behind ? at.x + theme.px(6) : box.max.x - size.x,
                               behind ? at.y - size.y / 2 : at.y - size.y - theme.px(3)};
            draw::text(list, theme.mono, place, theme.ink_quiet, words);
            mark(frame.marks, "streaming:" + words, place, {place.x + size.x, place.y + size.y});
        }
        last = at.y;
    }
    const auto near = draw::pointed_at(plot.area()) ? plot.nearest(curves, ImGui::GetMousePos()) : std::nullopt;
    if (!near)
        return;
    std::size_t point = near->point;
    for (std::size_t i = 0; i < near->curve; ++i)
        point += curves[i].points.size();
    const recording::Streaming& one = *shown[point];
    frame.point_out({"occupancy.streaming",
                     {{"warps", one.warps_per_sm},
                      {"width", one.width},
                      {"bytes", one.warps_per_sm * 32 * one.width},
                      {"rate", with_decimals(one.gbps * 1e-3, 2)}}});
}

} // namespace viz
