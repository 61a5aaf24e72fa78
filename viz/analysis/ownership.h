// Maps elements of C to the threads that compute them. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include "recording/recording.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace viz {

// The thread that writes an element of C.
struct Owner {
    uint32_t block = 0;            // linear in the grid
    recording::Index3 block_index; // x, y, z
    uint32_t thread = 0;           // linear in the block
    recording::Index3 thread_index;
    uint32_t warp = 0, lane = 0;
    std::optional<uint32_t> sm; // empty if the placement is not known
};

// A rectangle of cells.
struct CellRect {
    uint32_t row = 0, col = 0, rows = 1, cols = 1;
    friend bool operator==(const CellRect&, const CellRect&) = default;
};

// Convert between a linear index and (x, y, z) within an extent. x varies fastest.
recording::Index3 index_of(uint64_t linear, const recording::Index3& extent);
uint32_t linear_of(const recording::Index3& index, const recording::Index3& extent);

// Returns the numbers of rows and columns of C according to its recorded owners: M and N, or 1 and N for vector_add.
Cell extent_of_c(const recording::Recording& recording);

// Returns whether the first three arrays are A, B and C, as in every stage. Otherwise the third array is the output.
bool multiplies(const recording::Recording& recording);

// Returns whether the numbers of rows and columns of an array are guesses.
bool is_guessed(const recording::Recording& recording, const recording::Array& array);

// Returns whether threads add to global memory by atomic operations. The owner of an element is then the last of them.
bool adds_atomically(const recording::Recording& recording);

// Returns nothing outside C and for elements that no thread writes.
std::optional<Owner> owner_of(const recording::Recording& recording, uint32_t row, uint32_t col);

// Returns "block (1,0), thread (37,0), warp 1, lane 5, SM 17"; without the SM if it is not known.
std::string describe(const Owner& owner, const recording::Recording& recording);

// An element of C that a block owns, and its thread's linear index in the block. cells_of_block() sorts them by row,
// then column.
struct OwnedCell {
    Cell cell;
    uint32_t thread = 0;
};
std::vector<OwnedCell> cells_of_block(const recording::Recording& recording, uint32_t block);
// Returns the elements owned by threads with first <= thread < end.
std::vector<Cell> cells_of_threads(const std::vector<OwnedCell>& block, uint32_t first, uint32_t end);

// Returns, for each block that owns an element, which of its threads do. The size of the result depends on C and not on
// the grid.
std::unordered_map<uint32_t, std::vector<bool>> owners_by_block(const recording::Recording& recording);

// Whose elements of C are known. A trace of a program has the stores of the blocks that were recorded in full, and those
// of TMA not at all.
enum class OwnersKnown { all, of_recorded_blocks, none };
OwnersKnown owners_known(const recording::Recording& recording);

// Returns the number of threads that own no element: in the launch, or in those of its blocks whose owners are known.
uint64_t threads_without_element(const recording::Recording& recording);

// Returns disjoint rectangles that cover exactly these cells, in any order and with duplicates. Equal runs of
// consecutive rows are merged.
std::vector<CellRect> cover(std::vector<Cell> cells);

// bounds() returns the smallest rectangle around the cells, or nothing if there are none. grow() extends a rectangle to
// include a cell.
std::optional<CellRect> bounds(const std::vector<Cell>& cells);
void grow(std::optional<CellRect>& rect, Cell cell);

// Returns the numbers of distinct rows and columns among the cells, which need not be adjacent.
Cell rows_and_cols(const std::vector<Cell>& cells);

// Returns the index into Recording::blocks of the block with this linear index, if it was recorded in full.
std::optional<std::size_t> recorded_block(const recording::Recording& recording, uint32_t block);

} // namespace viz
