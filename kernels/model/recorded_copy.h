// An asynchronous copy as a recording has it: two steps of a warp, its read and then its write.
#pragma once

#include "model/access_cost.h"
#include "recording/recording.h"

#include <optional>

namespace model {

// Copies of 16 bytes go past L1 in every stage of the ladder (cp.async.cg), narrower ones through it.
CopyPattern copy_of(const recording::Access& read, const recording::Access& write);

// The copy whose write is this step of the warp; none where it is another step.
std::optional<CopyPattern> copy_at(const recording::WarpTrace& warp, std::size_t step);

// What the writes of a block's copies cost. They are in none of recording::Totals, as the hardware's counters of loads and
// stores do not count them either.
recording::SharedTotals copy_writes(const recording::BlockTrace& block);

// Of the whole launch, where all its blocks are recorded in full, or those that are make no copies; else not known.
std::optional<recording::SharedTotals> copy_writes(const recording::Recording& recording);

// The words that each lane writes, with the wavefront in which it does. Through L1 a group can take more wavefronts than its
// writes need by themselves (see copy_write): which lanes wait for a read then is not visible, and here the last ones of the
// group stay empty.
std::vector<Word> schedule(const CopyPattern& copy);

} // namespace model
