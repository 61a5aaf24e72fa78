// How much a stage has under way while it waits, against what a memory needs under way to be kept busy. Pure functions.
#pragma once

#include "recording/gpu.h"
#include "recording/recording.h"

#include <optional>

namespace viz {

// Loads of one warp with nothing between them: they are under way together, since none waits for another.
struct LoadsTogether {
    std::size_t loads = 0; // instructions
    uint64_t bytes = 0;    // that they move: 32 for each sector
};

// The most that any recorded warp has under way so, on its way to shared memory. None for a stage that computes with what it
// loads at once: how many of its loads are under way together is up to the compiler, and no recording tells.
std::optional<LoadsTogether> most_loads_together(const recording::Recording& recording);

// A load that waits for the one before it, walking through more than any cache holds. What a chain of loads was measured with, where
// there is one: each figure beside it is of the same walk then. None: nothing was measured.
std::optional<recording::Latency> farthest_latency(const recording::GpuMeasurement& measured);

// Little's law for DRAM, as measured: latency times bandwidth, for one SM.
struct DramNeeds {
    double latency_ns = 0, gbps = 0; // of the largest sizes measured; of all SMs
    double bytes_per_sm = 0;
};
std::optional<DramNeeds> dram_needs(const recording::GpuMeasurement& measured, uint32_t sms);

// What all warps of one SM have under way in that measurement.
inline double bytes_under_way(const recording::Streaming& one)
{
    return double{1} * one.warps_per_sm * recording::warp_size * one.width;
}

// The fastest that was measured with at most so many bytes under way on each SM, in GB/s, and the fastest of all. None: nobody
// measured it with so few. `more`: the fastest of those with the next larger number of bytes; 0 bytes: none was measured.
struct StreamedRate {
    double gbps = 0, most = 0;
    double bytes = 0, more_bytes = 0, more_gbps = 0;
};
std::optional<StreamedRate> streamed_with(const recording::GpuMeasurement& measured, double bytes_per_sm);

} // namespace viz
