// How a block of one stage uses what it reads: computed beside the frames, and what is said of it.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/board.h"
#include "viz/draw/background.h"
#include "viz/draw/focus.h"

#include <memory>
#include <optional>

namespace viz {

struct BlockReuse {
    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    bool known = false;
    std::optional<Reuse> reuse; // nothing, although known: the stage has no operands

    void update(const ShownStage& stage, const Focus& focus);
    bool settled() const { return !work.busy(); }
    uint32_t element_bytes() const { return recording->arrays[0].element_bytes; }

private:
    Background<std::optional<Reuse>> work;
};

// How often each element is read, and what that leaves out.
Messages reuse_messages(const BlockReuse& block);

// Arithmetic intensity in FLOP per byte at each level of memory, a line each: by formula, by recording, by the GPU's counters.
// Counted figures are of the largest launch that was counted. `rung` null: nothing is known of it.
Messages intensity_messages(const BlockReuse& block, const RungFigures* rung);

} // namespace viz
