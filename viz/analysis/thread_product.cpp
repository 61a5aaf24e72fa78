#include "viz/analysis/thread_product.h"

#include "viz/analysis/access.h"

#include <algorithm>
#include <set>

namespace viz {

using recording::Access;
using recording::Op;

namespace {

bool reads_operand(const BlockTiling& tiling, const Access& access)
{
    return tiling.uses_shared() ? access.op == Op::shared_load : access.op == Op::global_load && access.array < 2;
}

// Every lane for itself. Nobody multiplies in a warp of a block with tensor cores that only copies.
bool lanes_read_alone(const BlockTiling& tiling)
{
    const auto for_others = [](const Access& access) {
        return access.op == Op::shuffle || access.op == Op::tile_load || access.op == Op::matrix_load ||
               access.op == Op::matrix_multiply;
    };
    return std::ranges::none_of(tiling.block().warps, [&](const recording::WarpTrace& warp) {
        return std::ranges::any_of(warp.accesses, for_others);
    });
}

ThreadProduct product_of_cells(const std::vector<Cell>& cells)
{
    std::set<uint32_t> rows, cols;
    for (const Cell& cell : cells) {
        rows.insert(cell.row);
        cols.insert(cell.col);
    }
    return {.rows = static_cast<uint32_t>(rows.size()), .cols = static_cast<uint32_t>(cols.size())};
}

} // namespace

std::optional<ThreadProduct> thread_product(const BlockTiling& tiling, uint32_t thread, uint32_t ks)
{
    const uint32_t warp = thread / recording::warp_size, lane = thread % recording::warp_size;
    if (ks == 0 || warp >= tiling.block().warps.size())
        return {};
    const bool alone = lanes_read_alone(tiling);
    ThreadProduct product = product_of_cells(alone ? tiling.owned_by(thread, thread + 1) : tiling.tile_cells());
    if (product.results() == 0)
        return {};
    uint64_t reads = 0;
    if (!alone)
        reads = tiling.bands()[0].reads + tiling.bands()[1].reads;
    else
        for (const Access& access : tiling.block().warps[warp].accesses)
            if (reads_operand(tiling, access) && takes_part(access, lane))
                reads += access.width / std::max(1u, tiling.recording().arrays[access.array].element_bytes);
    product.reads = static_cast<double>(reads) / ks;
    product.of_block = !alone;
    return product;
}

} // namespace viz
