#include "viz/analysis/working_set.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"

#include "model/access_cost.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace viz {

namespace {

using Sectors = std::set<std::pair<uint8_t, uint64_t>>; // array, sector

// How many values of k are worked on together: those of a tile, else those of a sector of A.
uint32_t depth_of(const recording::Recording& recording, bool tiles)
{
    if (tiles)
        for (const std::string_view name : {"BK", "tile"})
            for (const recording::Parameter& parameter : recording.parameters)
                if (parameter.name == name && parameter.value > 0)
                    return static_cast<uint32_t>(parameter.value);
    return model::sector_bytes / std::max(1u, recording.arrays[0].element_bytes);
}

} // namespace

WorkingSet working_set(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t first,
                       bool tiles)
{
    WorkingSet set;
    if (recording.problem.K <= 1)
        return set;
    set.k = depth_of(recording, tiles);
    const std::vector<Elements> elements = elements_of(recording);
    Sectors of_block;
    for (const recording::WarpTrace& warp : block.warps) {
        const std::vector<BulkCopy> copies = bulk_copies(recording, warp);
        Sectors of_warp;
        for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
            const recording::Access& access = warp.accesses[step];
            const bool reads = access.op == recording::Op::bulk_load || (is_global(access.op) && !is_store(access.op));
            if (access.array > 1 || !reads)
                continue;
            const recording::Array& array = recording.arrays[access.array];
            for (const Cell& cell : cells_of_step(recording, warp, step, elements[access.array], copies)) {
                const uint32_t k = access.array == 0 ? cell.col : cell.row;
                if (k - first < set.k)
                    of_warp.emplace(access.array, array.offset_of(cell.row, cell.col) / model::sector_bytes);
            }
        }
        set.warp = std::max<uint64_t>(set.warp, of_warp.size() * model::sector_bytes);
        of_block.merge(of_warp);
    }
    set.block = of_block.size() * model::sector_bytes;
    set.blocks = recording.resources ? recording.resources->blocks_per_sm : 0;
    for (const recording::Array& array : recording.arrays)
        if (array.space == recording::Space::shared)
            set.tiles += array.bytes;
    return set;
}

} // namespace viz
