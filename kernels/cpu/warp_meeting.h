// Where the lanes of a warp wait for each other, and the accesses that they make together.
#pragma once

#include "cpu/collectives.h"
#include "recording/recording.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cpu {

// The accesses of one warp that have not yet been passed on. Each lane writes its address into the entry selected by
// its own access count. All lanes of a warp make the same accesses in the same order, whichever runs first.
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

// Synchronizes the lanes of the running warp at collectives.
class WarpMeeting {
public:
    bool empty() const { return waiting_ == 0; }
    void arrive(uint32_t lane, const Collective& collective, void* operands);

    // Exchanges the data of every complete collective, and returns the lanes that may continue.
    uint32_t release();

    // Returns a sentence that says why the waiting lanes cannot continue. `elsewhere` describes a lane that has not
    // arrived: "has returned". Must not be called when empty().
    std::string explain(const std::function<std::string(uint32_t lane)>& elsewhere) const;

private:
    struct Arrival {
        Collective collective;
        void* operands;
    };

    bool is_here(uint32_t lane) const { return (waiting_ >> lane & 1) != 0; }
    bool has_come(uint32_t lane, const Collective& collective) const;
    bool is_complete(const Collective& collective) const;

    uint32_t waiting_ = 0;
    std::array<Arrival, recording::warp_size> arrivals_{};
};

} // namespace cpu
