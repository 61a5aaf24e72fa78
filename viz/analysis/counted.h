// What a GPU's own counters say of one launch, as far as views show it. A figure that the GPU did not give is absent.
#pragma once

#include "recording/counted.h"
#include "recording/measured.h"
#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// Warp instructions that went to one of the pipes of an SM, of NVIDIA's name: "fmaheavy".
struct PipeCount {
    std::string pipe;
    uint64_t executed = 0;
};

struct HardwareFigures {
    recording::Problem problem;
    std::optional<double> l1_hits, l2_hits; // 0..1, of the sectors that were looked up there; L2 was empty before
    std::optional<double> dram_read, dram_written; // bytes
    std::optional<double> occupancy;               // 0..1: resident warps over the most that an SM can have
    std::optional<double> issued;                  // warp instructions
    std::optional<double> issued_per_cycle;        // warp instructions of an SM, while it is active: at most 4
    // Of 32 bytes: what requests to global memory touch, and what is looked up in L2; of up to 128 bytes: what loads take of
    // shared memory.
    std::optional<double> load_sectors, l2_sectors, shared_wavefronts;
    std::optional<double> shared_store_wavefronts; // likewise; those of asynchronous copies no counter has
    double least_read = 0;                         // bytes: each operand that is read, once
    std::optional<uint64_t> executed;              // warp instructions
    std::vector<PipeCount> pipes;                  // in the order in which they are shown; empty: not counted
    recording::Provenance from;
};

// What ran in a launch and what its warps waited for.
struct CountedRun {
    recording::RunProfilePtr run; // not null
    recording::Problem problem;
    recording::Provenance from;
};

// FLOP per byte at a level, as counted. Nothing where the GPU gave no figure, or a level was not used.
struct CountedIntensity {
    std::optional<double> loads; // from global memory, in the sectors that lanes touch; none where bulk copies load
    std::optional<double> l2, dram;
    std::optional<double> shared; // loads, each wavefront as the 128 bytes that it could bring
};
CountedIntensity counted_intensity(const HardwareFigures& figures, double flops);

// Of M, N and K alone.
inline bool same_sides(const recording::Problem& a, const recording::Problem& b)
{
    return a.M == b.M && a.N == b.N && a.K == b.K;
}

// Of the same problem, the scalars aside; null: none.
const HardwareFigures* figures_at(const std::vector<HardwareFigures>& counted, const recording::Problem& problem);

// The bytes of all global loads, as recorded: what the kernel asks of the caches.
double bytes_asked(const recording::Recording& recording);

// What executed loads of shared memory took of the wavefronts that the source's loads take, all loads of the launch together. Nothing
// where the compiler made no fewer and wider ones, or nothing was counted.
std::optional<double> merged_share(const recording::Recording& recording, const HardwareFigures* counted);

} // namespace viz
