#include "viz/views/10_tiling/moves_picture.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace viz {

namespace {

using recording::Space;

const MatrixFrame* frame_of(const TilingLayout& layout, std::size_t array)
{
    if (array < 3)
        return layout.operands[array].shape.rows > 0 ? &layout.operands[array] : nullptr;
    for (const TileFrame& tile : layout.tiles)
        if (tile.array == array)
            return &tile.frame;
    return nullptr;
}

std::optional<ImVec2> middle_of(const TilingLayout& layout, std::size_t array, const std::vector<Cell>& cells)
{
    const MatrixFrame* frame = frame_of(layout, array);
    if (frame == nullptr || cells.empty())
        return {};
    return frame->box_of(placed(*frame, std::vector<Cell>{cells.front()}).front()).middle();
}

// What the lane adds up: where its loads end.
std::optional<ImVec2> results_of(const TilingPart& part, const TilingLayout& layout)
{
    const MatrixFrame* frame = frame_of(layout, array_C);
    if (frame == nullptr || part.facts.thread_tile.empty())
        return {};
    return frame->box_of(placed(*frame, part.facts.thread_tile).front()).middle();
}

struct Move {
    std::optional<ImVec2> from, to;
    std::string target;
};

Move move_of(const TilingPart& part, const TilingLayout& layout, const std::optional<ImVec2>& lane_at)
{
    const recording::Access& access = part.focus.access();
    const std::vector<recording::Array>& arrays = part.recording().arrays;
    const Lit& lit = part.facts.lit;
    if (!has_addresses(access) || !takes_part(access, part.lane()) || access.array >= lit.lane.size())
        return {};
    const auto at = [&](std::size_t array) { return middle_of(layout, array, lit.lane[array]); };
    const std::string& name = arrays[access.array].name;
    const bool shared = arrays[access.array].space == Space::shared;
    if (is_store(access.op)) {
        if (shared) // of an element of A or B, which is lit as well
            for (const std::size_t matrix : {array_A, array_B})
                if (auto from = at(matrix))
                    return {from, at(access.array), name};
        return {lane_at, at(access.array), name};
    }
    const bool waits = !shared && !layout.tiles.empty(); // then what comes from global memory waits in the lane
    return {at(access.array), waits ? lane_at : results_of(part, layout), waits ? "lane" : arrays[array_C].name};
}

} // namespace

void draw_moves(const TilingPart& part, const TilingLayout& layout, const std::optional<ImVec2>& lane_at)
{
    const Move move = move_of(part, layout, lane_at);
    if (!move.from || !move.to)
        return;
    const ImVec2 from = *move.from, to = *move.to, way{to.x - from.x, to.y - from.y};
    const Theme& theme = part.theme();
    const float length = std::sqrt(way.x * way.x + way.y * way.y), size = theme.px(8);
    if (length < 3 * size)
        return;
    const ImVec2 along{way.x / length, way.y / length}, across{-along.y, along.x};
    // So that it does not lie on the borders that it crosses: to the right, where there is room; from and to a lane, which lies
    // at the foot of the picture, upwards.
    const bool at_lane = lane_at && (from.y == lane_at->y || to.y == lane_at->y);
    const bool turned = at_lane ? across.y > 0 : across.x < 0;
    const float bow = length * (turned ? -0.12f : 0.12f);
    const ImVec2 out{from.x + way.x / 3 + across.x * bow, from.y + way.y / 3 + across.y * bow};
    const ImVec2 in{from.x + way.x * 2 / 3 + across.x * bow, from.y + way.y * 2 / 3 + across.y * bow};
    const float end_length = std::hypot(to.x - in.x, to.y - in.y);
    const ImVec2 head{(to.x - in.x) / end_length, (to.y - in.y) / end_length};
    const ImVec2 neck{to.x - head.x * size, to.y - head.y * size};
    part.list->AddBezierCubic(from, out, in, neck, theme.background, theme.px(5));
    part.list->AddBezierCubic(from, out, in, neck, part.accent(), theme.px(2.5f));
    const ImVec2 side{-head.y * size * 0.6f, head.x * size * 0.6f};
    part.list->AddTriangleFilled({neck.x + side.x, neck.y + side.y}, {neck.x - side.x, neck.y - side.y}, to,
                                 part.accent());
    part.list->AddCircleFilled(from, theme.px(3.5f), part.accent());
    mark(part.marks(), "move to " + move.target, {std::min(from.x, to.x), std::min(from.y, to.y)},
         {std::max(from.x, to.x), std::max(from.y, to.y)});
}

} // namespace viz
