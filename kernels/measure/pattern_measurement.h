// Measures access patterns on the GPU: each row of a pattern file runs as one instruction of one warp, and the GPU's
// counters report its cost.
#pragma once

#include "model/pattern_file.h"

#include <functional>
#include <span>
#include <stop_token>

namespace kernels {

// Runs on the GPU with this number. Sets `measured` of each row. Passes rows to `done`, in order, as soon as some are
// measured. Throws Unavailable if there is no GPU or its counters cannot be read, Error if a row cannot be run, and
// Cancelled.
void measure_patterns(std::span<model::PatternRow> rows,
                      const std::function<void(std::span<const model::PatternRow>)>& done, std::stop_token stop,
                      int gpu);

// Sets `times` of the rows that load or store shared memory, measured with the SM's clock, which needs no counters.
// Throws Unavailable if there is no GPU, Error if a row cannot be run, and Cancelled.
void time_patterns(std::span<model::PatternRow> rows, const std::stop_token& stop, int gpu);

} // namespace kernels
