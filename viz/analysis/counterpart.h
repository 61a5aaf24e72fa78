// Finds the step of one recording that does the same as a step of another, so that comparisons match. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <optional>

namespace viz {

// A warp with its recording.
struct WarpOf {
    const recording::Recording& recording;
    const recording::WarpTrace& warp;
};

// Returns `step` if both warps do the same there. Otherwise returns, among the second warp's steps of the same kind and
// array ("As[1]" counts as "As"), the one at the same relative position: the last of 8 loads of Bs for the last of 32.
// Returns `step` if the second warp has none.
std::size_t counterpart(const WarpOf& first, std::size_t step, const WarpOf& second);

// Returns the second warp's step nearest to `near` that has the kind and array of the first warp's step, or nothing if
// there is none.
std::optional<std::size_t> nearest_like(const WarpOf& first, std::size_t step, const WarpOf& second, std::size_t near);

} // namespace viz
