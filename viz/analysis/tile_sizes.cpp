#include "viz/analysis/tile_sizes.h"

#include "viz/analysis/parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace viz {

namespace {

constexpr uint32_t least_side = 4, most_side = 128;
constexpr std::array<std::string_view, limit_count> limit_names{"registers", "shared memory", "threads", "blocks"};

// Fills in how many blocks an SM holds, and which limit allows no more or forbids the launch.
void fill_residency(const SmLimits& limits, const KernelNeeds& needs, TileSize& tile)
{
    const Residency now = needs.registers > 0 ? residency(limits, needs) : residency_without_registers(limits, needs);
    tile.blocks = now.blocks;
    if (now.refusal)
        tile.limit = needs.threads > most_threads                          ? limit_names[2]
                     : needs.shared_bytes > limits.most_shared_per_block() ? limit_names[1]
                                                                           : limit_names[0];
    else
        for (const Limit limit :
             {Limit::blocks, Limit::shared, Limit::registers, Limit::warps}) // the last one is named
            if (now.limited_by(limit))
                tile.limit = limit_names[static_cast<std::size_t>(limit)];
}

} // namespace

TileScheme tile_scheme(const recording::Recording& recording, const Reuse& reuse, uint32_t registers)
{
    TileScheme scheme{.element_bytes = recording.arrays[0].element_bytes};
    const uint64_t rows = reuse.block_tile.rows, cols = reuse.block_tile.cols;
    const uint32_t threads = recording.launch.threads_per_block(), shared = needs_of(recording).shared_bytes;
    if (shared == 0 || rows == 0 || cols == 0 || threads == 0)
        return scheme;
    scheme.registers = registers;
    scheme.results = static_cast<uint32_t>(std::max<uint64_t>(1, rows * cols / threads));
    scheme.k = static_cast<uint32_t>(parameter_of(recording.parameters, "BK").value_or(0));
    const uint64_t one_buffer = (rows + cols) * (scheme.k > 0 ? scheme.k : rows) * scheme.element_bytes;
    scheme.buffers =
        static_cast<uint32_t>(std::max(1.0, std::round(static_cast<double>(shared) / static_cast<double>(one_buffer))));
    return scheme;
}

std::vector<TileSize> tile_sizes(const SmLimits& limits, const TileScheme& scheme)
{
    std::vector<TileSize> sizes;
    for (uint32_t side = least_side; side <= most_side; side *= 2) {
        TileSize tile{.side = side,
                      .threads = side * side / scheme.results,
                      .shared_bytes =
                          2 * side * (scheme.k > 0 ? scheme.k : side) * scheme.element_bytes * scheme.buffers,
                      .loads = tile_loads(side, side),
                      .intensity = tile_intensity(side, side, scheme.element_bytes)};
        if (tile.threads == 0)
            tile.limit = "too few results for a thread";
        else
            fill_residency(limits, {tile.threads, scheme.registers, tile.shared_bytes}, tile);
        sizes.push_back(std::move(tile));
    }
    return sizes;
}

} // namespace viz
