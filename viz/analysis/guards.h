// Lanes that have no thread, and lanes whose guard is false: the edges of a block and of a launch. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>

namespace viz {

// The lanes of a warp that have a thread, as a mask: the last warp of a block may have fewer than 32.
uint32_t lanes_with_thread(const recording::Launch& launch, std::size_t warp);

struct GuardUse {                          // of the global accesses of one block, and its lanes that have a thread
    std::size_t accesses = 0, guarded = 0; // guarded: with a lane switched off
    std::size_t lanes = 0, off = 0;        // lanes that could have taken part; that did not
};
GuardUse guard_use(const recording::Launch& launch, const recording::BlockTrace& block);

} // namespace viz
