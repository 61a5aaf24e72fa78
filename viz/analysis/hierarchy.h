// A launch as a plan: where its blocks, warps and threads lie when each thread is drawn as one cell. Pure functions.
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

// A block of one row is wrapped into rows of a warp each, and a grid of one row, or of one block in each slice, into as many
// rows as make the plan about as wide as a window. Else slices along z lie apart: those of a block one below the other,
// those of a grid side by side. Swapped: x runs downwards and y to the right; nothing is wrapped then.
struct Plan {
    recording::Launch launch;
    bool swapped = false;
    uint32_t block_wrap = 0, grid_wrap = 0; // threads, blocks per row; 0: as the indices say
    uint32_t cols = 0, rows = 0;            // of a block, in cells, with the gaps between its slices
    uint32_t gap = 1;                       // cells between blocks
    uint32_t grid_cols = 0, grid_rows = 0;  // in blocks
};

enum class Wrapping { when_one_row, never };
Plan plan_of(const recording::Launch& launch, bool swapped, Wrapping wrapping);

// In cells: of the whole plan, and of a block's upper left corner.
struct PlanPoint {
    double x = 0, y = 0;
};
PlanPoint size_of(const Plan& plan);
PlanPoint corner_of(const Plan& plan, uint64_t block);

// Within its block, and back.
Cell cell_of_thread(const Plan& plan, uint32_t thread);
std::optional<uint32_t> thread_at(const Plan& plan, Cell cell);

// The block of a place in the grid's plan (in blocks), if there is one.
std::optional<uint64_t> block_at(const Plan& plan, int64_t row, int64_t col);

// The cells of a warp in its block.
std::vector<CellRect> rects_of_warp(const Plan& plan, uint32_t warp);

// The threads of a recorded launch that own no element of C, and so are surplus. Where threads work for others, as they
// copy for them or add up a slice of K, that does not follow: `work_for_others` is set and none is named.
struct IdleSet { // the same in many blocks
    uint32_t count = 0;
    std::vector<bool> idle; // by thread
};
struct IdleThreads {
    uint64_t total = 0;
    bool work_for_others = false;
    std::vector<IdleSet> sets;
    std::unordered_map<uint64_t, std::optional<uint32_t>> set_of_block; // of those that own an element; none: all busy
    IdleSet of_others;                                                  // every thread of the other blocks
    const IdleSet* of(uint64_t block) const;                            // null: none is idle
};
IdleThreads idle_threads(const recording::Recording& recording);

// A launch typed by hand: "16x16", "128", "8, 4, 2". Either it can be launched, or `refusal` says why not.
struct TypedLaunch {
    std::optional<recording::Launch> launch;
    std::optional<Rich> refusal;
};
TypedLaunch typed_launch(std::string_view block, std::string_view grid);
std::string typed_text(const recording::Index3& extent); // the way back: "16x16"

// The usual mapping of a thread to an element of a matrix that the launch covers exactly:
// col = blockIdx.x * blockDim.x + threadIdx.x, row likewise from y; swapped: col from y, row from x.
struct Covered {
    uint64_t row = 0, col = 0;
};
Covered covered_by(const recording::Launch& launch, uint64_t block, uint32_t thread, bool swapped);
Covered covered_extent(const recording::Launch& launch, bool swapped); // rows and columns

// Whether each element of C that has an owner lies where that mapping puts the owner, in every block: then it is the kernel's. False and
// true: as it is, and swapped; nothing: the kernel's is another one, or no owners are known.
std::optional<bool> usual_mapping(const recording::Recording& recording);

// 32-byte sectors that a warp touches when each of its threads reads the float at its element of that matrix, row-major.
int sectors_of_warp(const recording::Launch& launch, uint64_t block, uint32_t warp, bool swapped);

// "(5,2)"; all three where the extent has more than one slice.
std::string index_text(const recording::Index3& index, const recording::Index3& extent);

// "5 + 2 x 16 = 37": how an index becomes a number; the number alone where there is nothing to compute.
std::string linear_text(const recording::Index3& index, const recording::Index3& extent);

} // namespace viz
