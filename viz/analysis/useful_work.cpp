#include "viz/analysis/useful_work.h"

#include <algorithm>

namespace viz {

namespace {

double share_of(uint32_t extent, uint32_t tile)
{
    const uint32_t tiles = std::max(1u, extent / tile + (extent % tile != 0 ? 1 : 0));
    return extent == 0 ? 1 : static_cast<double>(extent) / (static_cast<double>(tiles) * tile);
}

} // namespace

UsefulWork useful_work(const recording::Recording& recording)
{
    const recording::Problem& p = recording.problem;
    const recording::Tiles tiles = recording::tiles_named(recording.parameters);
    return {.tiles = tiles,
            .share = share_of(p.M, tiles.rows) * share_of(p.N, tiles.cols) * share_of(p.K, tiles.depth)};
}

} // namespace viz
