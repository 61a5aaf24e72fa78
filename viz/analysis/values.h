// What elements hold: values of A and B, and sums of C as far as they have been added up. Nothing of it is recorded, it
// follows from the inputs' generator (recording/inputs.h). Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include "recording/recording.h"

#include <optional>

namespace viz {

// Of a global matrix, before the kernel ran; nothing where the kernel gets its elements in another type than FP32, and of
// arrays that are no operand (a workspace).
std::optional<float> value_of(const recording::Recording& recording, std::size_t array, const Cell& cell);

// The products A(row, k) * B(k, col) for first <= k < end, added up in float64; nothing likewise.
std::optional<double> partial_sum(const recording::Recording& recording, const Cell& c, uint32_t first, uint32_t end);

} // namespace viz
