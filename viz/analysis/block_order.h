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
// barrier ahead. At an mbarrier it waits until as many phases have completed as it has waited for. A phase completes
// when each warp that ever arrives at the mbarrier has done so once more, and the bulk copies that the arriving warp
// starts right after its arrival are issued.
//
// A recording does not contain the parity that a wait asks for. The first wait for "this tile is free" by the warp that
// fills tiles is assumed to pass, since warps that free tiles have waited for a full tile before. If all warps of a
// block do the same, ticks equal steps.
//
// Ticks are an order, not a time: the duration of a step is not recorded.
class BlockOrder {
public:
    // `arrays` are those of the recording. Without them, each bulk copy is taken as a copy to shared memory.
    explicit BlockOrder(const recording::BlockTrace& block, std::span<const recording::Array> arrays = {});

    std::size_t ticks() const { return ticks_; }
    std::size_t tick(std::size_t warp, std::size_t step) const { return tick_of[warp][step]; }
    // Returns the step that a warp takes at a tick, or nothing while it waits and after it has ended.
    std::optional<std::size_t> step_at(std::size_t warp, std::size_t tick) const;

private:
    std::vector<std::vector<uint32_t>> tick_of; // by warp, then by step; ascending
    std::size_t ticks_ = 0;
};

} // namespace viz
