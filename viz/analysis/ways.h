// The ways of all words that one step of a warp moves: from where to where, and which of them go together. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// An end of a way: bytes of an array of the recording, or the registers of a lane.
struct WayEnd {
    bool in_lane = false;
    uint8_t array = 0;   // not in_lane
    uint64_t offset = 0; // not in_lane: bytes from the array's start
    uint32_t lane = 0;   // in_lane
    friend bool operator==(const WayEnd&, const WayEnd&) = default;
};

struct Way {
    WayEnd from, to;
    uint32_t lane = 0;  // who asks for it
    uint32_t bytes = 4; // neighbouring ones
    int turn = 0;       // 0-based: of shared memory the wavefront that serves it, of global memory its 128-byte line
    bool waits = false; // for a bank that serves another lane of its group first
    friend bool operator==(const Way&, const Way&) = default;
};

// What one step of a warp moves.
struct StepWays {
    std::vector<Way> ways;                 // by turn, then lane
    int turns = 0;                         // 0: nothing is moved, or not in turns that can be known
    std::optional<model::SharedCost> bank; // of a step that shared memory serves
    int l1_waits = 0;                      // of its conflicts those that no bank causes, see BankPicture
    std::optional<model::GlobalCost> line; // of a step that global memory serves
    std::vector<uint32_t> asked;           // by turn of shared memory: mask of lanes whose words it serves
    uint32_t waiting = 0;                  // mask: lanes of which a word waits
    int busy_banks = 0;                    // banks that answer a group of lanes more than once, of the group with most
    int answers = 1;                       // how often the busiest bank answers one group
    int group_lanes = 32;                  // how many lanes shared memory serves together
    std::optional<BulkCopy> box;           // of a bulk copy, which no lane carries out
    std::optional<GroupOperands> operands; // of wgmma, which reads shared memory by itself
};

// `bulk`: bulk_copies() of the warp.
StepWays ways_of_step(const recording::Recording& recording, const recording::WarpTrace& warp, std::size_t step,
                      const std::vector<BulkCopy>& bulk);

} // namespace viz
