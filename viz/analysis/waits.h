// What warps wait for, as the GPU's samples say it: of a launch, of a source line, of one instruction.
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

struct WaitCount {
    std::string state; // NVIDIA's name: "long_scoreboard"
    uint64_t warps = 0;
    friend bool operator==(const WaitCount&, const WaitCount&) = default;
};

struct Waits {
    uint64_t issued = 0;          // found issuing their instruction: these wait for nothing
    std::vector<WaitCount> waits; // descending, then by name; none of no warps

    uint64_t waiting() const;                      // the sum of the waits
    double share(const WaitCount& one) const;      // 0..1, of those that wait
    double share_of(std::string_view state) const; // likewise; 0 where none waits for that
    const WaitCount* most() const;                 // null: none waits
};

Waits waits_of(const recording::RunProfile& run);

// By line; 0: of none of the source's.
std::map<uint32_t, Waits> waits_by_line(const recording::RunProfile& run);

// The source lines at which warps wait for that, with their share of all that do: descending, then by line. Without what is of none
// of the source's lines.
struct LineWait {
    uint32_t line = 0;
    double share = 0; // 0..1
    friend bool operator==(const LineWait&, const LineWait&) = default;
};
std::vector<LineWait> lines_waiting(const recording::RunProfile& run, std::string_view state);

// By kernel and address.
std::map<std::pair<std::size_t, uint32_t>, Waits> waits_by_instruction(const recording::RunProfile& run);

// "long scoreboard", as NVIDIA's tools print it.
std::string state_name(std::string_view state);

// What it means, as what the warp waits for: "for data from global or local memory".
std::string_view state_words(std::string_view state);

// The most frequent waits of an instruction or a line, in a sentence: how many of all waits are here, and what for.
// `all`: waits of the launch. Empty where nothing waits.
Rich wait_words(const Waits& here, const Waits& all);

// The most frequent of them, at most three: "41% long scoreboard, for data from global or local memory."
Rich reason_words(const Waits& waits);

// How they were looked at, and what could not be where that is more than nothing.
Rich sample_words(const recording::WarpSamples& samples);

} // namespace viz
