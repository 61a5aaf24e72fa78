// One order in which the steps of a block's warps can happen, as its barriers allow it. Pure.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace viz {

// Every warp takes one step per tick unless it waits: at __syncthreads() for all warps that still come to one; at an
// mbarrier for as many ended phases as it has waited for, where a phase ends when each warp that ever arrives there has
// done so once more, and the bulk copies that the arriving warp starts right after it are issued. A recording does not
// say the parity that a wait asks for: the first wait for "this tile is free" by the warp that fills tiles passes, since
// those who free tiles have waited for a full one before. In a block whose warps all do the same, ticks are steps.
//
// Ticks are an order, not a time: how long a step takes is not recorded.
class BlockOrder {
public:
    // `arrays`: of its recording; without them each bulk copy is one to shared memory.
    explicit BlockOrder(const recording::BlockTrace& block, std::span<const recording::Array> arrays = {});

    std::size_t ticks() const { return ticks_; }
    std::size_t tick(std::size_t warp, std::size_t step) const { return tick_of[warp][step]; }
    // The step that a warp takes at a tick; none while it waits or when it has ended.
    std::optional<std::size_t> step_at(std::size_t warp, std::size_t tick) const;

private:
    std::vector<std::vector<uint32_t>> tick_of; // by warp, by step; ascending
    std::size_t ticks_ = 0;
};

} // namespace viz
