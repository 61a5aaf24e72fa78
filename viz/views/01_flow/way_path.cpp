#include "viz/views/01_flow/way_path.h"

#include <cmath>

namespace viz {

namespace {

// Leaves straight up or down, and arrives so.
Bezier upright(ImVec2 from, ImVec2 to)
{
    const float middle = (to.y - from.y) / 2;
    return {from, {from.x, from.y + middle}, {to.x, to.y - middle}, to};
}

} // namespace

std::optional<WayPath> way_path(const FlowPaint& paint, const Way& way)
{
    auto from = paint.scene.point(way.from, way.bytes), to = paint.scene.point(way.to, way.bytes);
    if (!from || !to)
        return {};
    const draw::Box& lanes = paint.scene.lanes();
    if (way.from.in_lane && way.to.in_lane) { // a shuffle: below the lanes
        const float deep = lanes.max.y + std::min(paint.theme().px(90), 12 + std::abs(to->x - from->x) * 0.35f);
        return WayPath{{Bezier{{from->x, lanes.max.y}, {from->x, deep}, {to->x, deep}, {to->x, lanes.max.y}}}};
    }
    if (!way.from.in_lane && !way.to.in_lane && from->y < lanes.min.y && to->y > lanes.max.y) {
        const draw::Box lane = paint.scene.lane(way.lane);
        const float x = (lane.min.x + lane.max.x) / 2;
        return WayPath{{upright(*from, {x, lane.min.y}), upright({x, lane.max.y}, *to)}, 2};
    }
    const auto leave = [&](ImVec2& point, const WayEnd& end, float other) {
        if (end.in_lane)
            point.y = other < lanes.min.y ? lanes.min.y : lanes.max.y;
    };
    leave(*from, way.from, to->y);
    leave(*to, way.to, from->y);
    return WayPath{{upright(*from, *to)}};
}

} // namespace viz
