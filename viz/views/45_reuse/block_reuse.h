// How a block of one stage uses what it reads, and what is said of it.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/board.h"
#include "viz/draw/focus.h"

#include <optional>

namespace viz {

struct BlockReuse {
    const recording::Recording& recording;
    const recording::BlockTrace& block;
    const Reuse& reuse;

    uint32_t element_bytes() const { return recording.arrays[0].element_bytes; }
};

// Of a block of the column; empty where the stage has no operands, null while it is being computed.
const std::optional<Reuse>* reuse_in(const StageColumn& column, const recording::BlockTrace& block);

// How often each element is read, and what that leaves out.
Messages reuse_messages(const BlockReuse& block);

// Arithmetic intensity in FLOP per byte at each level of memory, a line each: by formula, by recording, by the GPU's counters.
// Counted figures are of the largest launch that was counted. `rung` null: nothing is known of it.
Messages intensity_messages(const BlockReuse& block, const RungFigures* rung);

} // namespace viz
