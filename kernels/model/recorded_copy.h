// Asynchronous copies in a recording: two steps of a warp, the read followed by the write.
#pragma once

#include "model/access_cost.h"
#include "recording/recording.h"

#include <optional>

namespace model {

// Combines the two steps. In the ladder all copies of 16 bytes bypass L1 (cp.async.cg), and narrower ones do not.
CopyPattern copy_of(const recording::Access& read, const recording::Access& write);

// Returns the copy whose write is this step of the warp; nothing for any other step.
std::optional<CopyPattern> copy_at(const recording::WarpTrace& warp, std::size_t step);

// Returns the cost of the writes of a block's copies. recording::Totals does not include them, because the hardware's
// counters of loads and stores do not count them either.
recording::SharedTotals copy_writes(const recording::BlockTrace& block);

// Does the same for the launch. Returns nothing if a block is not recorded in full, or if the recorded ones make no
// copies.
std::optional<recording::SharedTotals> copy_writes(const recording::Recording& recording);

// Returns the words that each lane writes, with the wavefront of each write. Through L1 a group can take more
// wavefronts than its writes alone need (see copy_write). Which lanes wait for a read is not observable, so the group's
// last wavefronts are empty here.
std::vector<Word> schedule(const CopyPattern& copy);

} // namespace model
