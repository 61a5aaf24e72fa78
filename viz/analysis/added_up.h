// How far a block has added up its sums at a step. Pure functions.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/tiling.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// Whether the lanes that store sums add them up, product by product: not so where WMMA spreads them over a warp, nor where
// nothing is multiplied.
bool sums_in_registers(const recording::Recording& recording, const recording::WarpTrace& warp);

// Whether warps read the results that they store from shared memory, where others may have left them: who stores an element of C
// is not who added it up.
bool sums_pass_through_shared(const recording::Recording& recording, const recording::BlockTrace& block);

// The sums so far have the products A(row, k) * B(k, col) of all k below this one. Nothing where that is not known: a kernel
// whose block adds up a part of K only, a load in the midst of a k-tile's products, fragments that are not known.
std::optional<uint32_t> added_up_to(const BlockTiling& tiling, const std::vector<Phase>& phases, const Phase& now,
                                    const std::optional<Fragments>& fragments);

} // namespace viz
