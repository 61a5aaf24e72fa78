// The accesses of one warp since they were last handed over. Each lane writes its own address into the entry that its
// count of accesses points at: lanes of a warp pass the same accesses in the same order, whoever runs first.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cpu {

class WarpBuffer {
public:
    static constexpr std::size_t capacity = 512; // accesses; a lane that is this far ahead waits for its warp

    // Throws Error naming both lines when this lane's access is not the one that the others made in its place.
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
