#include "viz/analysis/working_set.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/occupancy.h"

#include "model/access_cost.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

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

void keep_distinct(std::vector<uint64_t>& sectors)
{
    std::ranges::sort(sectors);
    sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

} // namespace

L1Reuse reuse_in_l1(const WorkingSet& set, double hits)
{
    constexpr double little = 0.02, nearly_all = 0.9;
    if (set.again() < little)
        return L1Reuse::nothing_again;
    return hits >= nearly_all * set.again() ? L1Reuse::kept : L1Reuse::evicted;
}

WorkingSet working_set(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t first,
                       bool tiles)
{
    WorkingSet set;
    if (recording.problem.K <= 1)
        return set;
    set.k = depth_of(recording, tiles);
    const std::vector<Elements> elements = elements_of(recording);
    Sectors of_block;
    std::vector<uint64_t> all, of_step; // sectors, the array in the highest bits
    for (const recording::WarpTrace& warp : block.warps) {
        const std::vector<BulkCopy> copies = bulk_copies(recording, warp);
        Sectors of_warp;
        for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
            const recording::Access& access = warp.accesses[step];
            const bool reads = access.op == recording::Op::bulk_load || (is_global(access.op) && !is_store(access.op));
            if (access.array > 1 || !reads)
                continue;
            const recording::Array& array = recording.arrays[access.array];
            of_step.clear();
            for (const Cell& cell : cells_of_step(recording, warp, step, elements[access.array], copies)) {
                const uint32_t k = access.array == 0 ? cell.col : cell.row;
                const uint64_t sector = array.offset_of(cell.row, cell.col) / model::sector_bytes;
                if (k - first < set.k)
                    of_warp.emplace(access.array, sector);
                of_step.push_back(uint64_t{access.array} << 63 | sector);
            }
            keep_distinct(of_step);
            set.asked += of_step.size();
            all.insert(all.end(), of_step.begin(), of_step.end());
        }
        set.warp = std::max<uint64_t>(set.warp, of_warp.size() * model::sector_bytes);
        of_block.merge(of_warp);
    }
    keep_distinct(all);
    set.distinct = all.size();
    set.block = of_block.size() * model::sector_bytes;
    set.blocks = blocks_per_sm(recording).value().value_or(0);
    for (const recording::Array& array : recording.arrays)
        if (array.space == recording::Space::shared)
            set.tiles += array.bytes;
    return set;
}

} // namespace viz
