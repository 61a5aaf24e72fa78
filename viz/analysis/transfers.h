// The transfers of all words that one step of a warp moves: their source and destination, and which of them happen
// together. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bulk_copy.h"

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// An endpoint of a transfer: bytes of an array of the recording, or the registers of a lane.
struct Endpoint {
    bool in_lane = false;
    uint8_t array = 0;   // if !in_lane
    uint64_t offset = 0; // if !in_lane: bytes from the array's start
    uint32_t lane = 0;   // if in_lane
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// A transfer of adjacent bytes from one endpoint to another.
struct Transfer {
    Endpoint from, to;
    uint32_t lane = 0;  // the lane that requests the transfer
    uint32_t bytes = 4; // contiguous
    int turn = 0;       // 0-based index: in shared memory of the wavefront, in global memory of the 128-byte line
    bool waits = false; // a bank serves another lane of the group first
    friend bool operator==(const Transfer&, const Transfer&) = default;
};

// All transfers of one step of a warp.
struct StepWays {
    std::vector<Transfer> transfers;       // by turn, then lane
    int turns = 0;                         // 0 if nothing is moved, or if the turns are not known
    std::optional<model::SharedCost> bank; // for a step served by shared memory
    int l1_waits = 0;                      // conflicts that are not caused by a bank; see BankPicture
    std::optional<model::GlobalCost> line; // for a step served by global memory
    std::vector<uint32_t> asked;           // by turn, for shared memory: mask of the lanes whose words are served
    uint32_t waiting = 0;                  // mask of the lanes with at least one waiting word
    int busy_banks = 0;                    // maximum over the groups of lanes: banks that serve a group more than once
    int answers = 1;                       // how often the busiest bank serves one group
    int lanes_on_one = 0;                  // for an atomic operation: most lanes that update the same address
    int group_lanes = 32;                  // number of lanes that shared memory serves together
    std::optional<BulkCopy> box;           // for a bulk copy, which no lane carries out
    std::optional<GroupOperands> operands; // for wgmma, which reads shared memory directly
};

// `bulk` is bulk_copies() of the warp.
StepWays ways_of_step(const recording::Recording& recording, const recording::WarpTrace& warp, std::size_t step,
                      const std::vector<BulkCopy>& bulk);

} // namespace viz
