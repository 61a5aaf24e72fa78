// Who computes which element of C. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include "recording/recording.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace viz {

struct Owner {
    uint32_t block = 0;            // linear in the grid
    recording::Index3 block_index; // x, y, z
    uint32_t thread = 0;           // linear in the block
    recording::Index3 thread_index;
    uint32_t warp = 0, lane = 0;
    std::optional<uint32_t> sm; // where the placement is known
};

// A rectangle of cells.
struct CellRect {
    uint32_t row = 0, col = 0, rows = 1, cols = 1;
    friend bool operator==(const CellRect&, const CellRect&) = default;
};

recording::Index3 index_of(uint64_t linear, const recording::Index3& extent);
uint32_t linear_of(const recording::Index3& index, const recording::Index3& extent);

// Rows and columns of C, as its owners were recorded: M x N, or 1 x N for vector_add.
Cell extent_of_c(const recording::Recording& recording);

// Whether the first three arrays are A, B and C, as those of every stage are; else the third is what the kernel writes.
bool multiplies(const recording::Recording& recording);

// Nothing: outside C, or written by no thread.
std::optional<Owner> owner_of(const recording::Recording& recording, uint32_t row, uint32_t col);

// "block (1,0), thread (37,0), warp 1, lane 5, SM 17"; without an SM where that is not known.
std::string describe(const Owner& owner, const recording::Recording& recording);

// The elements of C that a block owns, by row, then column; with the thread (linear in the block) of each.
struct OwnedCell {
    Cell cell;
    uint32_t thread = 0;
};
std::vector<OwnedCell> cells_of_block(const recording::Recording& recording, uint32_t block);
// Those of its threads with first <= thread < end.
std::vector<Cell> cells_of_threads(const std::vector<OwnedCell>& block, uint32_t first, uint32_t end);

// Which threads of a block own an element, for each block of which any does. As long as C is large, however large the grid.
std::unordered_map<uint32_t, std::vector<bool>> owners_by_block(const recording::Recording& recording);

// Threads of the launch that own no element.
uint64_t threads_without_element(const recording::Recording& recording);

// Disjoint rectangles that cover exactly these cells, in any order and each counted once: whole runs of a row, joined
// downwards where the runs are equal.
std::vector<CellRect> cover(std::vector<Cell> cells);

// The smallest rectangle around the cells; nothing when there are none. And the smallest that has one more.
std::optional<CellRect> bounds(const std::vector<Cell>& cells);
void grow(std::optional<CellRect>& rect, Cell cell);

// How many different rows and columns they are in, which need not be neighbours.
Cell rows_and_cols(const std::vector<Cell>& cells);

// Index into Recording::blocks of the block with this linear index, if it was recorded in full.
std::optional<std::size_t> recorded_block(const recording::Recording& recording, uint32_t block);

} // namespace viz
