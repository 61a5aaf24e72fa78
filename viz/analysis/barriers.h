// Finds the data races that a barrier prevents: accesses after the barrier that must not happen before another warp's
// accesses preceding it. Uses the recorded accesses of a block to its shared tiles. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// One element that two warps touch, one before the barrier and one after it.
struct RaceExample {
    uint8_t array = 0;
    Cell cell;
    uint32_t before_warp = 0, before_line = 0; // the access that must happen first
    uint32_t after_warp = 0, after_line = 0;   // the access that the barrier delays
};

// The conflicts of one kind that a barrier prevents.
struct Race {
    // The number of (element, lane) accesses after the barrier that conflict with another warp's access before it.
    uint64_t accesses = 0;
    uint64_t all = 0;                     // number of accesses of this kind from the barrier to the next one
    std::vector<std::vector<Cell>> cells; // the elements concerned, each once; by array
    std::optional<RaceExample> example;   // from the chosen warp if it has one
};

// The conflicts that one barrier prevents.
struct BarrierRaces {
    std::size_t barrier = 0; // index among the block's barriers, 0-based
    Race read;               // reads of data that another warp stores or copies before the barrier
    Race overwrite;          // stores over data that another warp reads before the barrier
    bool guards() const { return read.accesses + overwrite.accesses > 0; }
};

// Finds the races of a block. All of its warps must arrive at every barrier, and its lanes must access shared memory
// themselves.
class BlockBarriers {
public:
    BlockBarriers(const recording::Recording& recording, const recording::BlockTrace& block);

    // Why no races can be found. of_whole_tiles: bulk copies and wgmma access whole tiles without addresses of lanes.
    // warps_apart: some warps skip a barrier.
    enum class Missing : uint8_t { of_whole_tiles, warps_apart };
    const std::optional<Missing>& missing() const { return missing_; }
    std::size_t count() const { return count_; }
    // Returns the number of the barrier at a warp's step, or nothing if the step is no barrier.
    std::optional<std::size_t> at(std::size_t warp, std::size_t step) const;
    // Returns the index of the first barrier at or after a warp's step, or count() if there is no such barrier.
    std::size_t next(std::size_t warp, std::size_t step) const;
    // Returns the races that a barrier prevents, with examples from `warp` if it has any. Requires that missing() is
    // empty.
    BarrierRaces races(std::size_t barrier, uint32_t warp) const;

    // Numbers of barriers that delay only reads, only stores, both, or neither.
    struct Summary {
        std::size_t of_reads = 0, of_overwrites = 0, of_both = 0, of_nothing = 0;
    };
    Summary summary() const; // examines all barriers: 90 to 220 ms for a block of 1024^3 on two cores of a server

private:
    struct Event {
        const recording::Access* access = nullptr;
        bool reads = false;
        bool written = false; // other warps may read the data after this event and a barrier
        bool writes = false;  // the data may change from this event on
    };
    using Interval = std::vector<Event>; // of one warp, from one barrier to the next

    template <class Visit>
    void visit(const Event& event, Visit each_element) const;
    RaceExample example_of(const Event& after, std::size_t barrier, uint32_t warp, uint32_t index) const;
    void add_warp(const recording::WarpTrace& warp);

    const recording::Recording& recording_;
    std::vector<Elements> elements_;
    std::vector<std::vector<Interval>> intervals_; // by warp, then by number of barriers passed
    std::vector<std::vector<std::size_t>> steps_;  // of the barriers, by warp
    std::size_t count_ = 0;
    std::optional<Missing> missing_;
};

} // namespace viz
