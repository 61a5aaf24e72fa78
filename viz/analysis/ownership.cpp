#include "viz/analysis/ownership.h"
#include "viz/analysis/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace viz {

using recording::Index3;
using recording::Recording;

namespace {

// Returns the thread of a recorded block.
Owner thread_of(const Recording& recording, uint32_t block, uint32_t warp, uint32_t lane)
{
    Owner owner;
    owner.block = block;
    owner.block_index = index_of(block, recording.launch.grid);
    owner.thread = warp * recording::warp_size + lane;
    owner.thread_index = index_of(owner.thread, recording.launch.block);
    owner.warp = warp;
    owner.lane = lane;
    if (block < recording.placements.size())
        owner.sm = recording.placements[block].sm;
    return owner;
}

} // namespace

Index3 index_of(uint64_t linear, const Index3& extent)
{
    const uint64_t width = std::max(1u, extent.x), height = std::max(1u, extent.y);
    return {static_cast<uint32_t>(linear % width), static_cast<uint32_t>(linear / width % height),
            static_cast<uint32_t>(linear / width / height)};
}

uint32_t linear_of(const Index3& index, const Index3& extent)
{
    return index.x + extent.x * (index.y + extent.y * index.z);
}

bool multiplies(const Recording& recording)
{
    return !recording.executed || recording.executed->multiplies;
}

bool is_guessed(const Recording& recording, const recording::Array& array)
{
    const auto number = &array - recording.arrays.data();
    return recording.executed &&
           std::ranges::find(recording.executed->guessed, number) != recording.executed->guessed.end();
}

bool adds_atomically(const Recording& recording)
{
    return recording.totals().global_atomic.instructions > 0;
}

Cell extent_of_c(const Recording& recording)
{
    const Cell extent{recording.problem.M, recording.problem.N};
    return uint64_t{extent.row} * extent.col == recording.owner.size() ? extent : Cell{0, 0};
}

std::optional<Owner> owner_of(const Recording& recording, uint32_t row, uint32_t col)
{
    const Cell extent = extent_of_c(recording);
    const uint32_t threads = recording.launch.threads_per_block();
    if (row >= extent.row || col >= extent.col || threads == 0)
        return {};
    const uint32_t value = recording.owner[std::size_t{row} * extent.col + col];
    if (value == recording::no_owner)
        return {};
    const uint32_t thread = value % threads;
    return thread_of(recording, value / threads, thread / recording::warp_size, thread % recording::warp_size);
}

std::string describe(const Owner& owner, const Recording& recording)
{
    std::string text =
        fmt::format("block {}, thread {}, warp {}, lane {}", index_text(owner.block_index, recording.launch.grid),
                    index_text(owner.thread_index, recording.launch.block), owner.warp, owner.lane);
    if (owner.sm)
        text += fmt::format(", SM {}", *owner.sm);
    return text;
}

std::vector<OwnedCell> cells_of_block(const Recording& recording, uint32_t block)
{
    std::vector<OwnedCell> cells;
    const Cell extent = extent_of_c(recording);
    const uint32_t threads = recording.launch.threads_per_block();
    if (threads == 0 || extent.row == 0)
        return cells;
    const uint64_t first = uint64_t{block} * threads, end = first + threads;
    for (std::size_t i = 0; i < recording.owner.size(); ++i) {
        const uint32_t value = recording.owner[i];
        if (value >= first && value < end && value != recording::no_owner)
            cells.push_back({{static_cast<uint32_t>(i / extent.col), static_cast<uint32_t>(i % extent.col)},
                             static_cast<uint32_t>(value - first)});
    }
    return cells;
}

std::vector<Cell> cells_of_threads(const std::vector<OwnedCell>& block, uint32_t first, uint32_t end)
{
    std::vector<Cell> cells;
    for (const OwnedCell& owned : block)
        if (owned.thread >= first && owned.thread < end)
            cells.push_back(owned.cell);
    return cells;
}

std::unordered_map<uint32_t, std::vector<bool>> owners_by_block(const Recording& recording)
{
    std::unordered_map<uint32_t, std::vector<bool>> blocks;
    const uint32_t threads = recording.launch.threads_per_block();
    const uint64_t all = recording.launch.grid.volume() * threads;
    std::vector<bool>* owns = nullptr; // of the last block, which adjacent elements usually share
    uint32_t last = 0;
    for (const uint32_t owner : recording.owner) {
        if (owner >= all || owner == recording::no_owner)
            continue;
        if (owns == nullptr || owner / threads != last) {
            last = owner / threads;
            owns = &blocks[last];
            owns->resize(threads);
        }
        (*owns)[owner % threads] = true;
    }
    return blocks;
}

OwnersKnown owners_known(const Recording& recording)
{
    if (!recording.executed)
        return OwnersKnown::all;
    const auto nobody = std::ranges::count(recording.owner, recording::no_owner);
    if (static_cast<std::size_t>(nobody) == recording.owner.size())
        return OwnersKnown::none;
    if (nobody == 0 || recording.launch.grid.volume() <= recording.blocks.size())
        return OwnersKnown::all;
    uint64_t stores = 0; // of the recorded blocks
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            stores += static_cast<uint64_t>(
                std::ranges::count(warp.accesses, recording::Op::global_store, &recording::Access::op));
    const bool others_store = recording.totals().global_store.requests > stores;
    const auto recorded = [&](const auto& one) { return recorded_block(recording, one.first).has_value(); };
    return others_store && std::ranges::all_of(owners_by_block(recording), recorded) ? OwnersKnown::of_recorded_blocks
                                                                                     : OwnersKnown::all;
}

uint64_t threads_without_element(const Recording& recording)
{
    const bool few = owners_known(recording) == OwnersKnown::of_recorded_blocks;
    uint64_t without =
        (few ? recording.blocks.size() : recording.launch.grid.volume()) * recording.launch.threads_per_block();
    for (const auto& [block, owns] : owners_by_block(recording))
        without -= static_cast<uint64_t>(std::ranges::count(owns, true));
    return without;
}

std::vector<CellRect> cover(std::vector<Cell> cells)
{
    keep_distinct(cells);
    std::vector<CellRect> done, open; // `open` have their last row in the row above
    for (std::size_t i = 0; i < cells.size();) {
        const uint32_t row = cells[i].row;
        std::vector<CellRect> next;
        while (i < cells.size() && cells[i].row == row) {
            CellRect run{row, cells[i].col, 1, 1};
            for (++i; i < cells.size() && cells[i].row == row && cells[i].col == run.col + run.cols; ++i)
                ++run.cols;
            const auto above = std::find_if(open.begin(), open.end(), [&](const CellRect& rect) {
                return rect.row + rect.rows == row && rect.col == run.col && rect.cols == run.cols;
            });
            if (above != open.end()) {
                run.row = above->row;
                run.rows = above->rows + 1;
                open.erase(above);
            }
            next.push_back(run);
        }
        done.insert(done.end(), open.begin(), open.end());
        open = std::move(next);
    }
    done.insert(done.end(), open.begin(), open.end());
    return done;
}

std::optional<CellRect> bounds(const std::vector<Cell>& cells)
{
    std::optional<CellRect> rect;
    for (const Cell& cell : cells)
        grow(rect, cell);
    return rect;
}

void grow(std::optional<CellRect>& rect, Cell cell)
{
    if (!rect) {
        rect = {cell.row, cell.col, 1, 1};
        return;
    }
    const uint32_t row = std::min(rect->row, cell.row), col = std::min(rect->col, cell.col);
    rect = {row, col, std::max(rect->row + rect->rows, cell.row + 1) - row,
            std::max(rect->col + rect->cols, cell.col + 1) - col};
}

Cell rows_and_cols(const std::vector<Cell>& cells)
{
    std::set<uint32_t> rows, cols;
    for (const Cell& cell : cells) {
        rows.insert(cell.row);
        cols.insert(cell.col);
    }
    return {static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(cols.size())};
}

std::optional<std::size_t> recorded_block(const Recording& recording, uint32_t block)
{
    for (std::size_t i = 0; i < recording.blocks.size(); ++i)
        if (linear_of(recording.blocks[i].block, recording.launch.grid) == block)
            return i;
    return {};
}

} // namespace viz
