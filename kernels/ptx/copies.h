// Asynchronous copies of a warp that are under way (cp.async).
#pragma once

#include "ptx/memory.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace ptx {

class Warp;

// Done when it is waited for.
struct PendingCopy {
    uint32_t mask = 0;
    uint32_t statement = 0;
    uint8_t width = 0;
    LaneAddresses from{}, to{};
    std::array<uint8_t, 32> bytes{}; // that are read; the rest is written as zeros
};

struct AsyncCopies {
    std::vector<PendingCopy> open;               // not committed
    std::deque<std::vector<PendingCopy>> groups; // committed, the oldest first

    void finish(Warp& warp, uint32_t mask); // those of lanes, which are then under way no more
};

} // namespace ptx
