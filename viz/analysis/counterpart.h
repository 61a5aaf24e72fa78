// The step of one recording that does what a step of another does, so that a comparison shows like beside like. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <optional>

namespace viz {

struct WarpOf {
    const recording::Recording& recording;
    const recording::WarpTrace& warp;
};

// `step` itself where both warps do the same there. Else of the second warp's steps of the same kind and array ("As[1]" counts as
// "As") the one that is as far along: of 8 loads of Bs the last for the last of 32. `step` where the second has none of these.
std::size_t counterpart(const WarpOf& first, std::size_t step, const WarpOf& second);

// The step of the second warp that is nearest to `near` and of the kind and array of the first warp's step; nothing: it has none.
std::optional<std::size_t> nearest_like(const WarpOf& first, std::size_t step, const WarpOf& second, std::size_t near);

} // namespace viz
