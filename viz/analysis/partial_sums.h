// Determines how far the partial sums of a block are at a step. Pure functions.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/tiling.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// Returns whether the lanes that store the sums also accumulate them, product by product. Returns false if WMMA
// distributes the sums over a warp, or if nothing is multiplied.
bool sums_in_registers(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns whether warps read the results that they store from shared memory. Other warps may have written them there,
// so the thread that stores an element of C did not necessarily compute it.
bool sums_pass_through_shared(const recording::Recording& recording, const recording::BlockTrace& block);

// Returns the k for which the partial sums contain the products A(row, k) * B(k, col) of all smaller k. Returns nothing
// if it is not known: the block sums only a part of K, the step is a load between the products of a k-tile, or the
// fragments are not known.
std::optional<uint32_t> summed_up_to(const BlockTiling& tiling, const std::vector<Phase>& phases, const Phase& now,
                                     const std::optional<Fragments>& fragments);

} // namespace viz
