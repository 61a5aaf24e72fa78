// An asynchronous copy as a recording has it: two steps of a warp, its read and then its write.
#pragma once

#include "model/access_cost.h"
#include "recording/recording.h"

namespace model {

// Copies of 16 bytes go past L1 in every stage of the ladder (cp.async.cg), narrower ones through it.
CopyPattern copy_of(const recording::Access& read, const recording::Access& write);

} // namespace model
