// What the GPU at hand makes of access patterns: each row of such a file as one instruction of one warp, counted by the GPU.
#pragma once

#include "model/pattern_file.h"

#include <functional>
#include <span>
#include <stop_token>

namespace kernels {

// On the GPU of that number. Sets `measured` of each row, and hands rows over, in their order, as soon as some are measured. Throws Unavailable where
// there is no GPU or its counters cannot be read, Error where a row cannot be run, Cancelled.
void measure_patterns(std::span<model::PatternRow> rows,
                      const std::function<void(std::span<const model::PatternRow>)>& done, std::stop_token stop,
                      int gpu);

// Sets `times` of the rows that load or store shared memory, by the SM's own clock: that needs no counters. Throws Unavailable where
// there is no GPU, Error where a row cannot be run, Cancelled.
void time_patterns(std::span<model::PatternRow> rows, const std::stop_token& stop, int gpu);

} // namespace kernels
