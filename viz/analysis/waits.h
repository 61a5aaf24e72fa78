// What warps wait for, from the GPU's samples: in a launch, on a source line, at one instruction.
#pragma once

#include "viz/text/message.h"

#include "recording/counted.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

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

// Describes the most frequent waits of an instruction or a line: its share of all waits, and their reasons. `all` has
// the waits of the launch. Empty without waits.
Rich wait_words(const Waits& here, const Waits& all);

// Describes the most frequent waits, three at most: "41% long scoreboard, for data from global or local memory."
Rich reason_words(const Waits& waits);

// Describes how the samples were taken and, if there are any, how many were lost.
Rich sample_words(const recording::WarpSamples& samples);

} // namespace viz
