#include "app/tables/of_view.h"

#include "app/tables/of_launch.h"
#include "app/tables/of_warp.h"

#include "viz/text/templates.h"

#include "error.h"

#include <string_view>

namespace app {

Table table_of_view(const Snapshot& snapshot, const State& state)
{
    if (snapshot.columns.front().recording == nullptr)
        throw kernels::Error(viz::plain(snapshot.columns.front().status));
    const std::string_view view = state.view().name();
    if (view == "banks")
        return banks_of_step(snapshot, state);
    if (view == "layout")
        return costs_of_lines(snapshot, state);
    if (view == "global")
        return sectors_of_lines(snapshot, state);
    if (view == "placement")
        return placed_blocks(snapshot);
    if (view == "occupancy")
        return occupancy_by_registers(snapshot);
    if (view == "roofline" || view == "hierarchy" || view == "reuse")
        return speeds_of_ladder(snapshot);
    if (view == "gpu")
        return ceilings_of_gpu(snapshot);
    if (view == "faster")
        return compared_figures(snapshot, state);
    return steps_of_warp(snapshot, state);
}

} // namespace app
