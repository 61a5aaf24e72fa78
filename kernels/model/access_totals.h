// The cost of accesses as recordings add it up. Pure functions.
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

// What one access of a warp adds to those of its line: nothing where no lane takes part, or where the operation is none that
// recording::counted_as counts. Of an asynchronous copy, whose cost its write decides too, see copy_read.
recording::Totals totals_of(recording::Op op, const Pattern& pattern);

// The same, remembered: loops access memory in a few patterns, each time elsewhere, and where a pattern begins decides no more
// than its place in a row of all banks.
class CostMemo {
public:
    // Of a pattern with these lanes and offsets; those of lanes outside the mask are not looked at.
    const recording::Totals& totals_of(recording::Op op, int width, uint32_t mask,
                                       const std::array<uint64_t, lanes>& offset);

private:
    struct Entry {
        recording::Op op = recording::Op::barrier; // none that is counted: the entry is empty
        Pattern pattern;                           // from the start of its first lane's row
        std::array<uint64_t, lanes> active{};      // all ones for lanes in the mask
        recording::Totals totals;
    };
    std::vector<Entry> entries_ = std::vector<Entry>(256); // by a hash; a newer pattern replaces an older one
};

} // namespace model
