// Latency of the memory, the traffic in flight that hides it, and what warps wait for. Pure functions.
#pragma once

#include "viz/text/message.h"

#include "recording/counted.h"
#include "recording/gpu.h"
#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

// Compares the memory traffic that a stage has in flight with the traffic needed to keep the memory busy. Pure
// functions.

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

// What warps wait for, from the GPU's samples: in a launch, on a source line, at one instruction.

// The number of samples in one state.
struct WaitCount {
    std::string state; // NVIDIA's name: "long_scoreboard"
    uint64_t warps = 0;
    friend bool operator==(const WaitCount&, const WaitCount&) = default;
};

// The samples of a launch, a line or an instruction by state.
struct Waits {
    uint64_t issued = 0;          // samples of warps that were issuing an instruction and did not wait
    std::vector<WaitCount> waits; // descending by count, then by name; without zero counts

    uint64_t waiting() const;                      // sum of the waits
    double share(const WaitCount& one) const;      // 0 to 1, of the waiting samples
    double share_of(std::string_view state) const; // 0 to 1, of the waiting samples; 0 if none waits for that
    const WaitCount* most() const;                 // null if there are no waits
};

Waits waits_of(const recording::RunProfile& run);

// By source line; 0 for instructions without a source line.
std::map<uint32_t, Waits> waits_by_line(const recording::RunProfile& run);

// A source line at which warps wait for a given state, with its share of all such waits. lines_waiting() sorts by
// share, descending, then by line. It omits instructions without a source line.
struct LineWait {
    uint32_t line = 0;
    double share = 0; // 0 to 1
    friend bool operator==(const LineWait&, const LineWait&) = default;
};
std::vector<LineWait> lines_waiting(const recording::RunProfile& run, std::string_view state);

// By kernel and address.
std::map<std::pair<std::size_t, uint32_t>, Waits> waits_by_instruction(const recording::RunProfile& run);

// Returns "long scoreboard", as NVIDIA's tools print it.
std::string state_name(std::string_view state);

// Returns what the warp waits for: "for data from global or local memory".
std::string_view state_words(std::string_view state);

// Returns the same in as few words as a bar's name has room for: "global memory"; NVIDIA's name where there are none.
std::string state_brief(std::string_view state);

// Describes the most frequent waits of an instruction or a line: its share of all waits, and their reasons. `all` has
// the waits of the launch. Empty without waits.
Rich wait_words(const Waits& here, const Waits& all);

// Describes the most frequent waits, three at most: "41% wait for data from global or local memory (long
// scoreboard)."
Rich reason_words(const Waits& waits);

// Describes how the samples were taken and, if there are any, how many were lost.
Rich sample_words(const recording::WarpSamples& samples);

} // namespace viz
