// Latency of memory, the bytes in flight that hide it, and what warps wait for. Pure functions.
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

// Consecutive loads of one warp that are in flight together, because none waits for another.
struct LoadsTogether {
    std::size_t loads = 0; // load instructions
    uint64_t bytes = 0;    // bytes that they move: 32 for each sector
};

// Returns the most bytes that a recorded warp has in flight to shared memory. Returns nothing for a stage that computes
// with the loaded values directly: the compiler decides how many of its loads are in flight together, and no recording
// shows it.
std::optional<LoadsTogether> most_loads_together(const recording::Recording& recording);

// Returns the latency of a load that misses all caches and depends on the previous load. Prefers the measurement with a
// chain of loads, whose other values have the same access pattern. Returns nothing if no latency was measured.
std::optional<recording::Latency> farthest_latency(const recording::GpuMeasurement& measured);

// The bytes that must be in flight for DRAM by Little's law, from measured values: latency times bandwidth, per SM.
struct DramNeeds {
    double latency_ns = 0, gbps = 0; // at the largest measured sizes; gbps is for all SMs
    double bytes_per_sm = 0;
};
std::optional<DramNeeds> dram_needs(const recording::GpuMeasurement& measured, uint32_t sms);

// Returns the bytes that the warps of one SM have in flight in this measurement.
inline double bytes_under_way(const recording::Streaming& one)
{
    return double{1} * one.warps_per_sm * recording::warp_size * one.width;
}

// The number of samples of warps in one state.
struct WaitCount {
    std::string state; // NVIDIA's name: "long_scoreboard"
    uint64_t warps = 0;
    friend bool operator==(const WaitCount&, const WaitCount&) = default;
};

// The samples of a launch, a line or an instruction by state.
struct Waits {
    uint64_t issued = 0;          // samples of warps that issued an instruction and did not wait
    std::vector<WaitCount> waits; // descending by count, then by name; without zero counts

    uint64_t waiting() const;                      // sum of the waits
    double share(const WaitCount& one) const;      // fraction of the waiting samples, 0 to 1
    double share_of(std::string_view state) const; // the same; 0 if no sample has this state
    const WaitCount* most() const;                 // null if there are no waits
};

Waits waits_of(const recording::RunProfile& run);

// By source line; 0 for instructions without a source line.
std::map<uint32_t, Waits> waits_by_line(const recording::RunProfile& run);

// A source line at which warps wait in a given state, with its share of all such waits. lines_waiting() sorts by share,
// descending, then by line. Omits instructions without a source line.
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
