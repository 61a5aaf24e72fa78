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

std::optional<ImVec2> middle_of(const MovesPicture& what, std::size_t array, const std::vector<Cell>& cells)
{
    const MatrixFrame* frame = frame_of(what.layout, array);
    if (frame == nullptr || cells.empty())
        return {};
    const std::vector<CellRect> places = placed(*frame, std::vector<Cell>{cells.front()});
    const draw::Box box = frame->box_of(places.front());
    return ImVec2{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
}

// What the lane adds up: where its loads end.
std::optional<ImVec2> results_of(const MovesPicture& what)
{
    const MatrixFrame* frame = frame_of(what.layout, 2);
    if (frame == nullptr || what.facts.thread_tile.empty())
        return {};
    const draw::Box box = frame->box_of(placed(*frame, what.facts.thread_tile).front());
    return ImVec2{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
}

struct Move {
    std::optional<ImVec2> from, to;
    std::string target;
};

Move move_of(const MovesPicture& what)
{
    const recording::Access& access = what.focus.access();
    const recording::Recording& recording = *what.focus.recording;
    if (!has_addresses(access) || !takes_part(access, what.lane) || access.array >= what.facts.lit.lane.size())
        return {};
    const auto lit = [&](std::size_t array) { return middle_of(what, array, what.facts.lit.lane[array]); };
    const std::string& name = recording.arrays[access.array].name;
    const bool shared = recording.arrays[access.array].space == Space::shared, store = is_store(access.op);
    if (store && !shared)
        return {what.lane_at, lit(access.array), name};
    if (store) // of an element of A or B, which is lit as well
        for (const std::size_t matrix : {0, 1})
            if (auto from = lit(matrix))
                return {from, lit(access.array), name};
    if (store)
        return {what.lane_at, lit(access.array), name};
    const bool tiles = !what.layout.tiles.empty(); // then what comes from global memory waits in the lane
    const bool waits = !shared && tiles;
    return {lit(access.array), waits ? what.lane_at : results_of(what), waits ? "lane" : recording.arrays[2].name};
}

} // namespace

void draw_moves(ImDrawList* list, const MovesPicture& what)
{
    const Move move = move_of(what);
    if (!move.from || !move.to)
        return;
    const ImVec2 from = *move.from, to = *move.to, way{to.x - from.x, to.y - from.y};
    const float length = std::sqrt(way.x * way.x + way.y * way.y);
    const float size = what.theme.px(8);
    if (length < 3 * size)
        return;
    const ImVec2 along{way.x / length, way.y / length}, across{-along.y, along.x};
    // So that it does not lie on the borders that it crosses: to the right, where there is room; from and to a lane, which lies
    // at the foot of the picture, upwards.
    const bool at_lane = what.lane_at && (from.y == what.lane_at->y || to.y == what.lane_at->y);
    const bool turned = at_lane ? across.y > 0 : across.x < 0;
    const float bow = length * (turned ? -0.12f : 0.12f);
    const ImVec2 out{from.x + way.x / 3 + across.x * bow, from.y + way.y / 3 + across.y * bow};
    const ImVec2 in{from.x + way.x * 2 / 3 + across.x * bow, from.y + way.y * 2 / 3 + across.y * bow};
    const float end_length = std::hypot(to.x - in.x, to.y - in.y);
    const ImVec2 head{(to.x - in.x) / end_length, (to.y - in.y) / end_length};
    const ImVec2 neck{to.x - head.x * size, to.y - head.y * size};
    list->AddBezierCubic(from, out, in, neck, what.theme.background, what.theme.px(5));
    list->AddBezierCubic(from, out, in, neck, what.colour, what.theme.px(2.5f));
    const ImVec2 side{-head.y * size * 0.6f, head.x * size * 0.6f};
    list->AddTriangleFilled({neck.x + side.x, neck.y + side.y}, {neck.x - side.x, neck.y - side.y}, to, what.colour);
    list->AddCircleFilled(from, what.theme.px(3.5f), what.colour);
    mark(what.marks, "move to " + move.target, {std::min(from.x, to.x), std::min(from.y, to.y)},
         {std::max(from.x, to.x), std::max(from.y, to.y)});
}

} // namespace viz
