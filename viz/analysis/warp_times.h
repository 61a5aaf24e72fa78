// Warps over time: what each warp of an SM does at any time, and whether a scheduler has a warp that can proceed. The
// recording has the clock at each step of a warp, but nothing between two steps. The states are therefore derived, by
// these rules:
//   barrier  from the time a warp reaches a barrier until the last warp of its block reaches it;
//   memory   at a wait for copies, and at the first step that uses a value loaded from global memory: the time of the
//            step beyond the minimum that any step of its kind took;
//   probe    the time of the probe itself;
//   running  everything else: issuing, computing, and the short waits for shared memory, a pipe or other warps.
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

// Stages whose warps were watched, each with few and with many resident warps.
struct WatchedStages {
    std::vector<recording::WarpTimes> rows;
    recording::Provenance from;
    recording::Reasons missing; // why there are no rows, or not all
};

// Two measurements of a stage with the same parameters and size: with the fewest and with the most resident warps.
struct FewAndMany {
    const recording::WarpTimes* few = nullptr; // null if only one number of warps was watched
    const recording::WarpTimes* many = nullptr;
};
std::optional<FewAndMany> few_and_many(const WatchedStages& watched, const std::string& stage);

// The activity of a warp at a time.
enum class WarpDoing : uint8_t { running, memory, barrier, probe };
inline constexpr std::size_t doing_count = 4;

// An interval in cycles, never empty.
struct WarpInterval {
    uint64_t from = 0, until = 0;
    WarpDoing doing = WarpDoing::running;
    std::size_t step = 0; // the last step before the interval; 0 before the first step
    friend bool operator==(const WarpInterval&, const WarpInterval&) = default;
};

// For each operation, the fewest cycles that the kernel spent after such a step in all of these launches, or 0.
using LeastOfOps = std::array<uint32_t, recording::op_count>;
LeastOfOps least_of_ops(std::span<const recording::WarpTimes* const> launches);

// The intervals of a warp. They cover its whole time without gaps.
struct WarpLane {
    std::size_t warp = 0; // index into WarpTimes::warps
    std::vector<WarpInterval> intervals;
};

// Cycles of a scheduler, over the whole time shown.
struct SchedulerTime {
    uint64_t running = 0; // at least one of its warps runs
    uint64_t memory = 0;  // no warp runs, and at least one waits for memory
    uint64_t barrier = 0; // no warp runs, and all wait at barriers
    uint64_t probe = 0;   // no warp runs, and at least one is in the probe
    uint64_t empty = 0;   // it has no warp
    // Intervals in which all of its warps wait (memory and barrier). `step` is not used.
    std::vector<WarpInterval> stalls;
    uint64_t span() const { return running + memory + barrier + probe + empty; }
};

// A slot of a scheduler, which its warps occupy one after another.
struct SlotRow {
    uint32_t slot = 0;
    std::vector<std::size_t> lanes; // indices into SmOverTime::lanes, in order of time
};

// All warps of one SM over time.
struct SmOverTime {
    const recording::WarpTimes* times = nullptr;
    std::vector<WarpLane> lanes; // one per warp
    std::array<std::vector<SlotRow>, recording::schedulers_per_sm> rows;
    std::array<SchedulerTime, recording::schedulers_per_sm> schedulers;
    uint64_t span = 0;         // cycles until the last warp ended
    uint32_t blocks = 0;       // number of blocks that ran
    uint32_t most_at_once = 0; // maximum number of concurrent warps
    std::size_t row_count() const;
    // Fractions, 0 to 1, of the time in which schedulers had a warp.
    double running_share() const; // at least one warp was running
    double stalled_share() const; // all warps waited
};

// `times` must outlive the result.
SmOverTime sm_over_time(const recording::WarpTimes& times, const LeastOfOps& least);

const WarpInterval* interval_at(const WarpLane& lane, uint64_t cycle); // null if the warp is not resident then

} // namespace viz
