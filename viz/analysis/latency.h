// Compares the memory traffic that a stage has in flight with the traffic needed to keep the memory busy. Pure
// functions.
#pragma once

#include "recording/gpu.h"
#include "recording/recording.h"

#include <optional>

namespace viz {

// Consecutive loads of one warp. They are in flight together, because none waits for another.
struct LoadsTogether {
    std::size_t loads = 0; // load instructions
    uint64_t bytes = 0;    // bytes that they move: 32 for each sector
};

// Returns the most bytes that any recorded warp has in flight on their way to shared memory. Returns nothing for a
// stage that computes directly with loaded values: the compiler decides how many of its loads are in flight together,
// and no recording shows it.
std::optional<LoadsTogether> most_loads_together(const recording::Recording& recording);

// Returns the latency of a load that depends on the previous one and misses all caches. Prefers the measurement with a
// chain of loads, whose other values come from the same access pattern. Returns nothing if no latency was measured.
std::optional<recording::Latency> farthest_latency(const recording::GpuMeasurement& measured);

// Little's law for DRAM from measured values: latency times bandwidth, per SM.
struct DramNeeds {
    double latency_ns = 0, gbps = 0; // of the largest sizes measured; gbps is for all SMs
    double bytes_per_sm = 0;
};
std::optional<DramNeeds> dram_needs(const recording::GpuMeasurement& measured, uint32_t sms);

// Returns the bytes that all warps of one SM have in flight in that measurement.
inline double bytes_under_way(const recording::Streaming& one)
{
    return double{1} * one.warps_per_sm * recording::warp_size * one.width;
}

// Bandwidth measured with a limited number of bytes in flight. `gbps` is the highest with at most that many bytes in
// flight per SM, reached with `bytes`. `most` is the highest of all. `more_gbps` is the highest with the next larger
// number, `more_bytes`, which is 0 if no larger number was measured. streamed_with() returns nothing if no measurement
// has so few bytes in flight.
struct StreamedRate {
    double gbps = 0, most = 0;
    double bytes = 0, more_bytes = 0, more_gbps = 0;
};
std::optional<StreamedRate> streamed_with(const recording::GpuMeasurement& measured, double bytes_per_sm);

} // namespace viz
