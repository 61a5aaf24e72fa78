// What would go wrong without a barrier: what a warp does after it that must not come before what another warp does ahead of
// it. From the recorded accesses of a block to its shared tiles. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// One element that two warps touch, one ahead of the barrier and one after it.
struct RaceExample {
    uint8_t array = 0;
    Cell cell;
    uint32_t before_warp = 0, before_line = 0; // who must come first
    uint32_t after_warp = 0, after_line = 0;   // who waits for it here
};

struct Race {
    uint64_t accesses = 0; // elements x lanes after the barrier that another warp's access ahead of it must come before
    uint64_t all = 0;      // of that kind after the barrier, up to the next one
    std::vector<std::vector<Cell>> cells; // that they are of, each once; by array
    std::optional<RaceExample> example;   // of the chosen warp, where it has one
};

struct BarrierRaces {
    std::size_t barrier = 0; // 0-based among the block's
    Race read;               // reads of what another warp stores, or has copied, ahead of the barrier
    Race overwrite;          // stores over what another warp reads ahead of it
    bool guards() const { return read.accesses + overwrite.accesses > 0; }
};

// Of a block whose warps meet at every barrier and touch shared memory by lanes.
class BlockBarriers {
public:
    BlockBarriers(const recording::Recording& recording, const recording::BlockTrace& block);

    // Why nothing can be said: what whole tiles are copied from or multiplied no lane's addresses say, or not all warps meet.
    enum class Missing : uint8_t { of_whole_tiles, warps_apart };
    const std::optional<Missing>& missing() const { return missing_; }
    std::size_t count() const { return count_; }
    // The number of the barrier that is a warp's step.
    std::optional<std::size_t> at(std::size_t warp, std::size_t step) const;
    // Examples are of `warp` where there are such. Nothing may be missing.
    BarrierRaces races(std::size_t barrier, uint32_t warp) const;

    // How many barriers keep reads from coming early, how many stores, and how many neither.
    struct Summary {
        std::size_t of_reads = 0, of_overwrites = 0, of_both = 0, of_nothing = 0;
    };
    Summary summary() const; // looks at every barrier: 90 to 220 ms for a block of 1024^3 on two cores of a server

private:
    struct Event {
        const recording::Access* access = nullptr;
        bool reads = false;
        bool written = false; // from here on the other warps may read it, if a barrier says so
        bool writes = false;  // from here on it may change what lies there
    };
    using Interval = std::vector<Event>; // of one warp, from one barrier to the next

    template <class Visit>
    void visit(const Event& event, Visit each_element) const;
    RaceExample example_of(const Event& after, std::size_t barrier, uint32_t warp, uint32_t index) const;
    void add_warp(const recording::WarpTrace& warp);

    const recording::Recording& recording_;
    std::vector<Elements> elements_;
    std::vector<std::vector<Interval>> intervals_; // by warp, by number of barriers passed
    std::vector<std::vector<std::size_t>> steps_;  // of the barriers, by warp
    std::size_t count_ = 0;
    std::optional<Missing> missing_;
};

} // namespace viz
