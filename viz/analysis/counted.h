// GPU counter values of one launch, for the views. A value that the GPU did not provide is empty.
#pragma once

#include "recording/counted.h"
#include "recording/measured.h"
#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// Warp instructions executed by one pipe of an SM. `name` is NVIDIA's: "fmaheavy".
struct PipeCount {
    std::string pipe;
    uint64_t executed = 0;
};

// The GPU's counters for one launch of a stage.
struct HardwareFigures {
    recording::Problem problem;
    std::optional<double> l1_hits, l2_hits;        // hit rates, 0 to 1; L2 was empty before the launch
    std::optional<double> dram_read, dram_written; // bytes
    std::optional<double> occupancy;               // 0 to 1: resident warps over the maximum of an SM
    std::optional<double> issued;                  // warp instructions
    std::optional<double> issued_per_cycle;        // warp instructions per cycle of an active SM: at most 4
    // Sectors of 32 bytes: touched by loads from global memory, and looked up in L2. Wavefronts of up to 128 bytes: of
    // loads from shared memory.
    std::optional<double> load_sectors, l2_sectors, shared_wavefronts;
    // Wavefronts of stores to shared memory. The counter for asynchronous copies is not reliable, so it is not read.
    std::optional<double> shared_store_wavefronts;
    // Fractions, 0 to 1, over the launch's time: use of the busiest part of the memory system (L1, L2, DRAM and the
    // paths between them), and use of DRAM.
    std::optional<double> memory_throughput, dram_throughput;
    std::optional<double> nanoseconds; // from the first cycle of the counted launch to its last
    double least_read = 0;             // bytes of all operands that are read, each operand once
    std::optional<uint64_t> executed;  // warp instructions
    std::vector<PipeCount> pipes;      // in display order; empty if not counted
    recording::Provenance from;
};

// The instructions that ran in a launch, and what its warps waited for.
struct CountedRun {
    recording::RunProfilePtr run; // not null
    recording::Problem problem;
    recording::Provenance from;
};

// Counted FLOP per byte at each memory level. Empty if the GPU provided no value, or if the level was not used.
struct CountedIntensity {
    // Of loads from global memory, in touched sectors. Empty if bulk copies load the operands.
    std::optional<double> loads;
    std::optional<double> l2, dram;
    std::optional<double> shared; // of loads from shared memory, with 128 bytes per wavefront
};
CountedIntensity counted_intensity(const HardwareFigures& figures, double flops);

// Compares M, N and K only.
inline bool same_sides(const recording::Problem& a, const recording::Problem& b)
{
    return a.M == b.M && a.N == b.N && a.K == b.K;
}

// Returns the counters for the same M, N and K, or null.
const HardwareFigures* figures_at(const std::vector<HardwareFigures>& counted, const recording::Problem& problem);

// Returns the bytes of all recorded global loads, which the kernel requests from the caches.
double bytes_asked(const recording::Recording& recording);

// Returns counted wavefronts of shared loads over recorded ones, for all loads of the launch. Recorded means as written
// in the source. Returns nothing if the compiler did not merge loads, or if nothing was counted.
std::optional<double> merged_share(const recording::Recording& recording, const HardwareFigures* counted);

// Returns part / whole, or 0 if `whole` is 0.
constexpr double ratio_or_zero(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace viz
