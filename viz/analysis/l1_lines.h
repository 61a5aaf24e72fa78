// A model of an SM's L1 cache: which 128-byte lines of global memory it holds while the warps of one block read. Pure
// functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <vector>

namespace viz {

enum class LineState : uint8_t {
    absent,
    present,      // not read in this step
    found,        // read, and all of its sectors were there
    fetched,      // at least one sector came from L2
    fetched_again // after the line was evicted
};

// The lines that an L1 holds if it evicts the line whose last use is the longest ago. The warps of the block are in
// step: each of them makes its access of a step before any makes that of the next one. A line is looked up once for each
// access, and brings only the sectors that are asked for. Other blocks of the SM, stores and the ways of the real cache
// are left out.
struct L1Lines {
    struct Event {
        uint32_t step = 0;
        LineState state = LineState::absent; // what happened to the line in this step; absent: it was evicted
        bool stays = true;                   // the line is present after this step
    };
    struct Line {
        uint8_t array = 0;
        uint32_t number = 0;       // the offset in the array divided by 128
        std::vector<Event> events; // ascending steps
        LineState at(uint32_t step) const;
        bool evicted_at(uint32_t step) const; // is not present any more after this step
    };
    std::vector<Line> lines;                      // all that the block reads, by array and number
    uint32_t steps = 0;                           // of the longest warp
    uint64_t asked = 0, found = 0, evictions = 0; // sectors, and lines
    double hit_rate() const { return asked > 0 ? static_cast<double>(found) / static_cast<double>(asked) : 0; }
};

// `bytes`: the size of L1. Reads of asynchronous copies are left out, as they go around L1.
L1Lines l1_lines(const recording::Recording& recording, const recording::BlockTrace& block, const uint64_t& bytes);

} // namespace viz
