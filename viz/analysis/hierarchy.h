// Lays out a launch as a plan in which each thread is one cell: positions of its blocks, warps and threads. Pure
// functions.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/text/rich.h"

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace viz {

// A plan of a launch. A block with one row is wrapped into rows of one warp each. A grid with one row, or with one
// block per slice, is wrapped so that the plan is about as wide as a window. Otherwise slices along z are separate:
// those of a block one below another, those of a grid side by side. If `swapped`, x runs downwards and y to the right,
// and nothing is wrapped.
struct Plan {
    recording::Launch launch;
    bool swapped = false;
    uint32_t block_wrap = 0, grid_wrap = 0; // threads and blocks per row; 0 if not wrapped
    uint32_t cols = 0, rows = 0;            // of a block, in cells, including the gaps between its slices
    uint32_t gap = 1;                       // cells between blocks
    uint32_t grid_cols = 0, grid_rows = 0;  // in blocks
};

// Whether a block or a grid with one row is wrapped.
enum class Wrapping { when_one_row, never };
Plan plan_of(const recording::Launch& launch, bool swapped, Wrapping wrapping);

// In cells: the size of the whole plan, or the position of a block's upper left corner.
struct PlanPoint {
    double x = 0, y = 0;
};
PlanPoint size_of(const Plan& plan);
PlanPoint corner_of(const Plan& plan, uint64_t block);

// Convert between a thread and its cell within the block.
Cell cell_of_thread(const Plan& plan, uint32_t thread);
std::optional<uint32_t> thread_at(const Plan& plan, Cell cell);

// Returns the block at a position of the grid's plan (in blocks), if there is one.
std::optional<uint64_t> block_at(const Plan& plan, int64_t row, int64_t col);

// Returns the cells of a warp within its block.
std::vector<CellRect> rects_of_warp(const Plan& plan, uint32_t warp);

// The surplus threads of a recorded launch: those that own no element of C. Threads that may work for others (copying
// for them, or summing a slice of K) can own no element and still be busy. In that case `work_for_others` is set, and
// no thread is listed. Nor is one whose stores are not known.
struct IdleSet {
    uint32_t count = 0;
    std::vector<bool> idle; // by thread
};
struct IdleThreads {
    uint64_t total = 0;
    bool work_for_others = false; // also set if threads add to elements by atomic operations
    OwnersKnown known = OwnersKnown::all;
    std::vector<IdleSet> sets;
    // For each block that owns an element: the index of its set. Empty if all of its threads are busy.
    std::unordered_map<uint64_t, std::optional<uint32_t>> set_of_block;
    IdleSet of_others;                       // for blocks that own no element: every thread is idle, if that is known
    const IdleSet* of(uint64_t block) const; // null if no thread is idle
};
IdleThreads idle_threads(const recording::Recording& recording);

// A launch typed by the user: "16x16", "128", "8, 4, 2". Has either a valid launch or the reason for its refusal.
struct TypedLaunch {
    std::optional<recording::Launch> launch;
    std::optional<Rich> refusal;
};
TypedLaunch typed_launch(std::string_view block, std::string_view grid);
std::string typed_text(const recording::Index3& extent); // the reverse: "16x16"

// The usual mapping of a thread to an element of a matrix that the launch covers exactly: col = blockIdx.x * blockDim.x
// + threadIdx.x, and row in the same way from y. If swapped, col comes from y and row from x.
struct Covered {
    uint64_t row = 0, col = 0;
};
Covered covered_by(const recording::Launch& launch, uint64_t block, uint32_t thread, bool swapped);
Covered covered_extent(const recording::Launch& launch, bool swapped); // number of rows and columns

// Returns false if every owned element of C is where the usual mapping puts its owner, and true if the swapped mapping
// does. Returns nothing for another mapping, or without known owners.
std::optional<bool> usual_mapping(const recording::Recording& recording);
// Returns whether the kernel computes the row of C from x. Examines at most 4096 elements of C to be fast.
bool counts_rows_by_x(const recording::Recording& recording);

// Returns the number of 32-byte sectors that a warp touches if each thread reads its element of such a matrix of
// floats, stored row-major.
int sectors_of_warp(const recording::Launch& launch, uint64_t block, uint32_t warp, bool swapped);

// Returns "(5,2)", or all three components if the extent has more than one slice.
std::string index_text(const recording::Index3& index, const recording::Index3& extent);

// Returns the computation of a linear index, "5 + 2 x 16 = 37", or only the number if there is nothing to compute.
std::string linear_text(const recording::Index3& index, const recording::Index3& extent);

} // namespace viz
