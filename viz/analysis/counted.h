// What a GPU's own counters say of one launch, as far as views show it. A figure that the GPU did not give is absent.
#pragma once

#include "recording/recording.h"
#include "viz/analysis/provenance.h"

#include <optional>
#include <vector>

namespace viz {

struct HardwareFigures {
    recording::Problem problem;
    std::optional<double> l1_hits, l2_hits; // 0..1, of the sectors that were looked up there; L2 was empty before
    std::optional<double> dram_read, dram_written; // bytes
    std::optional<double> occupancy;               // 0..1: resident warps over the most that an SM can have
    std::optional<double> issued_per_cycle;        // warp instructions of an SM, while it is active: at most 4
    double least_read = 0;                         // bytes: each operand that is read, once
    Provenance from;
};

// Of the same problem, the scalars aside; null: none.
const HardwareFigures* figures_at(const std::vector<HardwareFigures>& counted, const recording::Problem& problem);

// The bytes of all global loads, as recorded: what the kernel asks of the caches.
double bytes_asked(const recording::Recording& recording);

} // namespace viz
