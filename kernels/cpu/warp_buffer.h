// The accesses of one warp that have not yet been passed on. Each lane writes its address into the entry selected by
// its own access count. All lanes of a warp make the same accesses in the same order, whichever runs first.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cpu {

class WarpBuffer {
public:
    static constexpr std::size_t capacity = 512; // in accesses; a lane that is this far ahead waits for its warp

    // Throws Error naming both lines if this lane's access differs from the one that the other lanes made at the same
    // position.
    void add(uint32_t lane, const recording::Access& made, uint64_t offset, bool active);

    bool full(uint32_t lane) const { return count_[lane] == capacity; }
    std::span<const recording::Access> entries() const { return {entries_.data(), used_}; }
    void clear();

private:
    std::vector<recording::Access> entries_ = std::vector<recording::Access>(capacity);
    std::size_t used_ = 0;
    std::array<std::size_t, recording::warp_size> count_{};
};

} // namespace cpu
