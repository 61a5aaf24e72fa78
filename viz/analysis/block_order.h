// Derives one possible order of the steps of a block's warps, as its barriers allow it. Pure.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace viz {

// In each tick, every warp takes one step unless it waits. At __syncthreads() it waits for all warps that still have a
// barrier ahead. The n-th wait at an mbarrier lasts until its n-th phase is complete. A phase is complete when each of
// the warps that use the mbarrier has arrived once more, and the bulk copies that follow an arrival are issued.
//
// A recording does not contain the parity of a wait. The warp that fills a tile first waits for "this tile is free";
// that wait is assumed to pass. If all warps of a block take the same steps, ticks equal steps.
//
// Ticks are an order and not a time: the duration of a step is not recorded.
class BlockOrder {
public:
    // `arrays` are the recording's. Without them, every bulk copy counts as a copy to shared memory.
    explicit BlockOrder(const recording::BlockTrace& block, std::span<const recording::Array> arrays = {});

    std::size_t ticks() const { return ticks_; }
    std::size_t tick(std::size_t warp, std::size_t step) const { return tick_of[warp][step]; }
    // Returns the step that a warp takes at a tick. Returns nothing while the warp waits and after its end.
    std::optional<std::size_t> step_at(std::size_t warp, std::size_t tick) const;

private:
    std::vector<std::vector<uint32_t>> tick_of; // by warp, then by step; ascending
    std::size_t ticks_ = 0;
};

} // namespace viz
