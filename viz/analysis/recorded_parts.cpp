#include "viz/analysis/recorded_parts.h"

#include "viz/analysis/bulk_copy.h"

#include <algorithm>
#include <array>
#include <set>

namespace viz {

using recording::BlockTrace;
using recording::Recording;
using recording::WarpTrace;

namespace {

// Identifies a row of tiles in A or a column of tiles in B, and a k-tile.
struct Visit {
    uint32_t tile = 0, k = 0;
    friend auto operator<=>(const Visit&, const Visit&) = default;
};
using Visits = std::vector<Visit>;

class Reader {
public:
    Reader(const Recording& recording, const TileWork& work)
        : recording(recording),
          work(work), elements{Elements(recording.arrays[array_A]), Elements(recording.arrays[array_B])}
    {
    }

    // Returns the visits in the order of the warp's reads, without consecutive repetitions.
    std::array<Visits, 2> read_by(const WarpTrace& warp) const
    {
        std::array<Visits, 2> visits;
        const std::vector<BulkCopy> copies = bulk_copies(recording, warp);
        auto copy = copies.begin();
        for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
            const recording::Access& access = warp.accesses[step];
            if (reads_global(access.op) && access.array <= array_B)
                for (const Cell& cell :
                     cells_of_access(access, elements[access.array], recording.arrays[access.array].element_bytes))
                    add(visits[access.array], access.array, cell);
            while (copy != copies.end() && copy->step < step)
                ++copy;
            if (copy != copies.end() && copy->step == step && copy->from <= array_B)
                add(visits[copy->from], copy->from, {copy->source.row, copy->source.col});
        }
        return visits;
    }

private:
    void add(Visits& visits, uint8_t array, const Cell& cell) const
    {
        const recording::Array& matrix = recording.arrays[array];
        if (cell.row >= matrix.rows || cell.col >= matrix.cols)
            return;
        const Visit visit = array == array_A ? Visit{cell.row / work.BM, cell.col / work.BK}
                                             : Visit{cell.col / work.BN, cell.row / work.BK};
        if (visits.empty() || visits.back() != visit)
            visits.push_back(visit);
    }

    const Recording& recording;
    const TileWork& work;
    std::array<Elements, 2> elements;
};

// Returns the visits of a block with one tile, combined over its warps.
std::optional<Visits> of_one_tile(const std::vector<std::array<Visits, 2>>& warps, std::array<uint32_t, 2>& place)
{
    std::array<std::set<uint32_t>, 2> tiles, ks;
    for (const auto& visits : warps)
        for (std::size_t array = 0; array < 2; ++array)
            for (const Visit& visit : visits[array]) {
                tiles[array].insert(visit.tile);
                ks[array].insert(visit.k);
            }
    if (tiles[0].size() != 1 || tiles[1].size() != 1 || ks[0] != ks[1])
        return {};
    place = {*tiles[0].begin(), *tiles[1].begin()};
    Visits all;
    for (const uint32_t k : ks[0])
        all.push_back({0, k});
    return all;
}

} // namespace

std::optional<std::vector<WorkPart>> recorded_parts(const Recording& recording, const BlockTrace& block,
                                                    const TileWork& work)
{
    if (recording.arrays.size() <= array_B)
        return {};
    const Reader reader(recording, work);
    std::vector<std::array<Visits, 2>> warps;
    for (const WarpTrace& warp : block.warps)
        warps.push_back(reader.read_by(warp));
    const uint32_t number = linear_of(block.block, recording.launch.grid);
    std::vector<WorkPart> parts;
    const auto add = [&](Cell place, uint32_t k) {
        const auto tile = work.tile_at(place);
        if (!tile)
            return false;
        if (!parts.empty() && parts.back().tile == *tile && parts.back().first + parts.back().count == k)
            ++parts.back().count;
        else
            parts.push_back({number, *tile, k, 1, true});
        return true;
    };
    std::array<uint32_t, 2> place{};
    if (const auto one = of_one_tile(warps, place)) {
        for (const Visit& visit : *one)
            if (!add({place[0], place[1]}, visit.k))
                return {};
        return parts;
    }
    // For a block with several tiles in sequence: combines the warp with most reads of A and the warp with most reads
    // of B.
    Visits a, b;
    for (const auto& [of_a, of_b] : warps) {
        a = of_a.size() > a.size() ? of_a : a;
        b = of_b.size() > b.size() ? of_b : b;
    }
    if (a.empty() || a.size() != b.size())
        return {};
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].k != b[i].k || !add({a[i].tile, b[i].tile}, a[i].k))
            return {};
    return parts;
}

} // namespace viz
