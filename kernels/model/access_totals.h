// The cost of accesses, in the form that recordings add up. Pure functions.
#pragma once

#include "model/access_cost.h"
#include "recording/recording.h"

#include <array>
#include <cstdint>
#include <vector>

namespace model {

inline recording::SharedTotals totals_of(const SharedCost& cost)
{
    return {1, static_cast<uint64_t>(cost.wavefronts), static_cast<uint64_t>(cost.conflicts)};
}

inline recording::GlobalTotals totals_of(const GlobalCost& cost)
{
    return {static_cast<uint64_t>(cost.requests), static_cast<uint64_t>(cost.sectors)};
}

// Returns what one access of a warp adds to the totals of its line. Returns zeros if no lane participates or if
// recording::counted_as does not count the operation. The cost of an asynchronous copy also depends on its write: see
// copy_read.
recording::Totals totals_of(recording::Op op, const Pattern& pattern);

// Caches totals_of(). Loops access memory in a few patterns at varying addresses, and the cost depends on a pattern's
// start only through its offset in a row of all banks.
class CostMemo {
public:
    // Offsets of lanes outside the mask are ignored.
    const recording::Totals& totals_of(recording::Op op, int width, uint32_t mask,
                                       const std::array<uint64_t, lanes>& offset);

private:
    struct Entry {
        recording::Op op = recording::Op::barrier; // barrier, which is never counted, marks an empty entry
        Pattern pattern;                           // relative to the start of the row of its first lane
        std::array<uint64_t, lanes> active{};      // all bits set for lanes in the mask
        recording::Totals totals;
    };
    std::vector<Entry> entries_ = std::vector<Entry>(256); // indexed by a hash; a new pattern replaces an older one
};

} // namespace model
