#include "viz/analysis/k_tiles.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"

#include <algorithm>

namespace viz {

using recording::BlockTrace;
using recording::Recording;

namespace {

// Returns the number of k that one iteration of the kernel's loop processes. If the matrix cuts off the last k-tile,
// the total does not determine the width; then the matching side of a shared tile does.
uint32_t tile_width(const Recording& recording, uint32_t read, uint32_t own)
{
    const uint32_t least = (read + own - 1) / own;
    std::optional<uint32_t> width;
    for (const recording::Array& array : recording.arrays)
        for (const uint32_t side : {array.rows, array.cols})
            if (array.space == recording::Space::shared && side >= least && uint64_t{side} * (own - 1) < read)
                width = std::min(width.value_or(side), side);
    return width.value_or(least);
}

// Returns for each k whether the block reads an element of A there.
std::vector<bool> read_by(const Recording& recording, const BlockTrace& block, const Elements& elements)
{
    const recording::Array& a = recording.arrays[array_A];
    std::vector<bool> read(a.cols, false);
    for (const recording::WarpTrace& warp : block.warps) {
        for (const recording::Access& access : warp.accesses)
            if (reads_global(access.op) && access.array == array_A)
                for (const Cell& cell : cells_of_access(access, elements, a.element_bytes))
                    read[cell.col] = true;
        for (const BulkCopy& copy : bulk_copies(recording, warp))
            if (copy.from == array_A)
                for (uint32_t k = copy.source.col; k < std::min(copy.source.col + copy.source.cols, a.cols); ++k)
                    read[k] = true;
    }
    return read;
}

// Extrapolates the slices: if all recorded slices take every n-th k-tile, or the n-th of equal parts of K, the others
// do the same.
void go_on(std::vector<KTile>& tiles, uint32_t slices)
{
    const std::size_t part = slices == 0 ? 0 : (tiles.size() + slices - 1) / slices;
    const auto by_turns = [&](std::size_t i) { return static_cast<uint32_t>(i % slices); };
    const auto in_parts = [&](std::size_t i) { return static_cast<uint32_t>(i / part); };
    const auto fill = [&](const auto& slice_of) {
        for (std::size_t i = 0; i < tiles.size(); ++i)
            if (tiles[i].slice && tiles[i].slice != slice_of(i))
                return false;
        for (std::size_t i = 0; i < tiles.size(); ++i)
            tiles[i].slice = slice_of(i);
        return true;
    };
    if (slices > 1 && part > 0 && !fill(by_turns))
        fill(in_parts);
}

} // namespace

std::vector<KTile> tiles_along_k(const Recording& recording, const BlockTrace& block, int own)
{
    std::vector<KTile> tiles;
    if (recording.arrays.empty() || own <= 0)
        return tiles;
    const Elements elements(recording.arrays[array_A]);
    const std::vector<bool> mine = read_by(recording, block, elements);
    const auto count = static_cast<uint32_t>(std::ranges::count(mine, true));
    const uint32_t width = tile_width(recording, count, static_cast<uint32_t>(own));
    if (width == 0)
        return tiles;
    const auto size = static_cast<uint32_t>(mine.size());
    for (uint32_t k = 0; k < size; k += width)
        tiles.push_back({k, std::min(width, size - k)});
    int number = 0;
    for (const BlockTrace& other : recording.blocks) {
        if (other.block.x != block.block.x || other.block.y != block.block.y)
            continue;
        const std::vector<bool> read = &other == &block ? mine : read_by(recording, other, elements);
        for (KTile& tile : tiles)
            if (read[tile.first]) {
                tile.slice = other.block.z;
                tile.recorded = true;
                if (&other == &block)
                    tile.number = number++;
            }
    }
    go_on(tiles, recording.launch.grid.z);
    return tiles;
}

bool leaves_parts(const recording::Recording& recording)
{
    return recording.launch.grid.z > 1 && std::ranges::any_of(recording.arrays, [](const recording::Array& array) {
               return array.space == recording::Space::global && array.name == "workspace";
           });
}

} // namespace viz
