#include "viz/analysis/block_grid.h"

#include "viz/analysis/ownership.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

// The first element of C that a block owns.
std::optional<Cell> corner_in_c(const recording::Recording& recording, const recording::Index3& block)
{
    const std::vector<OwnedCell> cells = cells_of_block(recording, linear_of(block, recording.launch.grid));
    return cells.empty() ? std::nullopt : std::optional(cells.front().cell);
}

// Whether x runs down C; nothing where no recorded neighbour says so.
std::optional<bool> turned_in_c(const recording::Recording& recording)
{
    const recording::Index3& grid = recording.launch.grid;
    const auto first = recording.owner.empty() ? std::nullopt : corner_in_c(recording, {0, 0, 0});
    if (!first)
        return {};
    for (const bool along_x : {true, false}) {
        if ((along_x ? grid.x : grid.y) < 2)
            continue;
        const auto next = corner_in_c(recording, along_x ? recording::Index3{1, 0, 0} : recording::Index3{0, 1, 0});
        if (next && (next->row > first->row) != (next->col > first->col))
            return (next->row > first->row) == along_x;
    }
    return {};
}

} // namespace

BlockGrid block_grid(const recording::Launch& launch, const recording::Recording* owners)
{
    BlockGrid result;
    result.grid = launch.grid;
    result.parts = launch.grid.z;
    const std::optional<bool> turned = owners != nullptr ? turned_in_c(*owners) : std::nullopt;
    if (launch.grid.y == 1) {
        const double count = launch.grid.x;
        result.cols = std::max(1u, static_cast<uint32_t>(std::ceil(std::sqrt(count))));
        result.rows = (launch.grid.x + result.cols - 1) / result.cols;
        return result;
    }
    result.as_in_c = turned.has_value();
    result.turned = turned.value_or(false);
    result.rows = result.turned ? launch.grid.x : launch.grid.y;
    result.cols = result.turned ? launch.grid.y : launch.grid.x;
    return result;
}

Cell BlockGrid::place(uint32_t block) const
{
    const recording::Index3 index = index_of(block, grid);
    if (grid.y == 1)
        return {index.x / cols, index.x % cols};
    return turned ? Cell{index.x, index.y} : Cell{index.y, index.x};
}

std::optional<uint32_t> BlockGrid::block_at(Cell place, uint32_t part) const
{
    recording::Index3 index{turned ? place.row : place.col, turned ? place.col : place.row, part};
    if (grid.y == 1)
        index = {place.row * cols + place.col, 0, part};
    if (index.x >= grid.x || index.y >= grid.y || index.z >= grid.z)
        return {};
    return linear_of(index, grid);
}

BlockState state_at(const PlacedBlock& block, double ns)
{
    if (ns < static_cast<double>(block.start_ns))
        return BlockState::waiting;
    return ns < static_cast<double>(block.end_ns) ? BlockState::running : BlockState::done;
}

} // namespace viz
