// Copies of a warp by cp.async that are not complete.
#pragma once

#include "ptx/memory.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace ptx {

class Warp;

// A copy that is executed when a lane waits for it.
struct PendingCopy {
    uint32_t mask = 0;
    uint32_t statement = 0;
    uint8_t width = 0;
    LaneAddresses from{}, to{};
    std::array<uint8_t, 32> bytes{}; // number of bytes that each lane reads; the rest is filled with zeros
};

struct AsyncCopies {
    std::vector<PendingCopy> open;               // not committed yet
    std::deque<std::vector<PendingCopy>> groups; // committed, the oldest first

    void finish(Warp& warp, uint32_t mask); // completes the copies of these lanes
};

} // namespace ptx
