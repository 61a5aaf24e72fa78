// The cost of accesses as recordings add it up. Pure functions.
#pragma once

#include "model/access_cost.h"
#include "recording/recording.h"

namespace model {

inline recording::SharedTotals totals_of(const SharedCost& cost)
{
    return {1, static_cast<uint64_t>(cost.wavefronts), static_cast<uint64_t>(cost.conflicts)};
}

inline recording::GlobalTotals totals_of(const GlobalCost& cost)
{
    return {static_cast<uint64_t>(cost.requests), static_cast<uint64_t>(cost.sectors)};
}

// What one access of a warp adds to those of its line: nothing where no lane takes part, or where the operation is none that
// recording::counted_as counts. Of an asynchronous copy, whose cost its write decides too, see copy_read.
recording::Totals totals_of(recording::Op op, const Pattern& pattern);

} // namespace model
