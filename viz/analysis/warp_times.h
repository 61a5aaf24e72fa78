// Warps over time: what each warp of an SM does when, and whether a scheduler has one that can go on. From the clock at each step
// of a warp, which says nothing of what lies between two steps; so this is derived, by these rules:
//   barrier  from when a warp comes to a barrier until the last warp of its block has come there;
//   memory   after a load from global memory, at the first step that uses what was loaded, and at a wait for copies: what the step
//            took beyond the least that a step of its kind ever took;
//   probe    what the probe itself took;
//   running  all else: issuing, computing, and the short waits for shared memory, for a pipe or for its turn among other warps.
// Pure functions.
#pragma once

#include "recording/measured.h"
#include "recording/warp_times.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace viz {

// Of stages whose warps were watched: each with few and with many resident warps.
struct WatchedStages {
    std::vector<recording::WarpTimes> rows;
    recording::Provenance from;
    recording::Reasons missing; // why there are none, or not all
};

// Of one stage, with the same parameters and size: the fewest resident warps, and the most.
struct FewAndMany {
    const recording::WarpTimes* few = nullptr; // null: only one number of warps was watched, which is `many`
    const recording::WarpTimes* many = nullptr;
};
std::optional<FewAndMany> few_and_many(const WatchedStages& watched, const std::string& stage);

enum class WarpDoing : uint8_t { running, memory, barrier, probe };
inline constexpr std::size_t doing_count = 4;

struct WarpInterval { // in cycles, never empty
    uint64_t from = 0, until = 0;
    WarpDoing doing = WarpDoing::running;
    std::size_t step = 0; // of the warp, after which it lies; of what comes before the first step: 0
    friend bool operator==(const WarpInterval&, const WarpInterval&) = default;
};

// The least cycles of the kernel's own that ever passed after a step of each operation, in all of these launches; 0: there is none.
using LeastOfOps = std::array<uint32_t, recording::op_count>;
LeastOfOps least_of_ops(std::span<const recording::WarpTimes* const> launches);

// One after the other, from the warp's begin to its end.
struct WarpLane {
    std::size_t warp = 0; // in WarpTimes::warps
    std::vector<WarpInterval> intervals;
};

// Cycles of a scheduler, of the whole time that is shown.
struct SchedulerTime {
    uint64_t running = 0; // at least one of its warps runs
    uint64_t memory = 0;  // none does, and at least one waits for memory
    uint64_t barrier = 0; // none does, and all wait at barriers
    uint64_t probe = 0;   // none does, and at least one is in the probe
    uint64_t empty = 0;   // it has no warp
    std::vector<WarpInterval>
        stalls; // when all of its warps wait: what counts as memory and as barrier; `step` means nothing
    uint64_t span() const { return running + memory + barrier + probe + empty; }
};

// A hardware slot of a scheduler, in which one warp follows another.
struct SlotRow {
    uint32_t slot = 0;
    std::vector<std::size_t> lanes; // in SmOverTime::lanes, by time
};

struct SmOverTime {
    const recording::WarpTimes* times = nullptr;
    std::vector<WarpLane> lanes; // of each warp
    std::array<std::vector<SlotRow>, recording::schedulers_per_sm> rows;
    std::array<SchedulerTime, recording::schedulers_per_sm> schedulers;
    uint64_t span = 0;         // cycles, until the last warp ended
    uint32_t blocks = 0;       // that ran
    uint32_t most_at_once = 0; // warps
    std::size_t row_count() const;
    // Of the time of those schedulers that had a warp at all, 0 ... 1.
    double running_share() const; // at least one warp runs
    double stalled_share() const; // all wait, for memory or at barriers
};

// `times` has to stay.
SmOverTime sm_over_time(const recording::WarpTimes& times, const LeastOfOps& least);

const WarpInterval* interval_at(const WarpLane& lane, uint64_t cycle); // null: the warp is not there

} // namespace viz
