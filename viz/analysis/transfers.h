// The transfers of words in one step of a warp: their sources and destinations, and which of them happen together. Pure
// functions.
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
    uint8_t array = 0;   // if not in_lane
    uint64_t offset = 0; // if not in_lane: in bytes from the array's start
    uint32_t lane = 0;   // if in_lane
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// A transfer of adjacent bytes from one endpoint to another.
struct Transfer {
    Endpoint from, to;
    uint32_t lane = 0;  // the lane that requests the transfer
    uint32_t bytes = 4; // contiguous
    int turn = 0;       // index of the wavefront (shared memory) or of the 128-byte line (global memory)
    bool waits = false; // its bank serves another lane of the group first
    friend bool operator==(const Transfer&, const Transfer&) = default;
};

// All transfers of one step of a warp.
struct StepWays {
    std::vector<Transfer> transfers;       // by turn, then lane
    int turns = 0;                         // 0 if nothing moves, or if the turns are not known
    std::optional<model::SharedCost> bank; // for a step served by shared memory
    int l1_waits = 0;                      // conflicts that are not caused by a bank; see BankPicture
    std::optional<model::GlobalCost> line; // for a step served by global memory
    std::vector<uint32_t> asked;           // in shared memory, by turn: mask of the lanes whose words are served
    uint32_t waiting = 0;                  // mask of the lanes with at least one waiting word
    int busy_banks = 0;                    // most banks that serve one group of lanes more than once
    int answers = 1;                       // how many times the busiest bank serves one group
    int lanes_on_one = 0;                  // most lanes that update one address in an atomic operation
    int group_lanes = 32;                  // number of lanes that shared memory serves together
    std::optional<BulkCopy> box;           // for a bulk copy, which no lane carries out
    std::optional<GroupOperands> operands; // for wgmma, which reads shared memory directly
};

// `bulk` is bulk_copies() of the warp.
StepWays ways_of_step(const recording::Recording& recording, const recording::WarpTrace& warp, std::size_t step,
                      const std::vector<BulkCopy>& bulk);

} // namespace viz
