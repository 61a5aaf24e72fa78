// Lanes whose guard is false: the edges of a launch. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>

namespace viz {

struct GuardUse {                          // of the global accesses of one block
    std::size_t accesses = 0, guarded = 0; // guarded: with a lane switched off
    std::size_t lanes = 0, off = 0;        // lanes that could have taken part; that did not
};
GuardUse guard_use(const recording::BlockTrace& block);

} // namespace viz
