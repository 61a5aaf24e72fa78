// Determines how far a block's partial sums have come at a step. Pure functions.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/tiling.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// Returns whether the lanes that store the sums also accumulate them product by product. This is false if WMMA spreads
// the sums over a warp, and if nothing is multiplied.
bool sums_in_registers(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns whether warps read the results that they store from shared memory, where other warps may have written them.
// In that case the thread that stores an element of C did not necessarily compute it.
bool sums_pass_through_shared(const recording::Recording& recording, const recording::BlockTrace& block);

// Returns the k up to which the partial sums are complete: they contain the products A(row, k) * B(k, col) of all
// smaller k. Returns nothing if that is not known: the block sums only a part of K, the step is a load in the middle of
// a k-tile's products, or the fragments are not known.
std::optional<uint32_t> summed_up_to(const BlockTiling& tiling, const std::vector<Phase>& phases, const Phase& now,
                                     const std::optional<Fragments>& fragments);

} // namespace viz
