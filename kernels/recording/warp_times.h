// When the warps of one SM reached each step, as recorded by a probe in the kernel's source. Plain data. Times are in
// cycles of the SM's clock, which all its warps share, and count from the start of the first warp.
#pragma once

#include "base/fields.h"
#include "recording/recording.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace recording {

// Valid range of cycles or nanoseconds. 2^40 of either are at least a quarter of an hour.
inline constexpr kernels::Between<uint64_t> any_time{0, uint64_t{1} << 40};

// A step, recorded before its operation. `since` is the number of the kernel's own cycles since the previous step (or
// since the warp's start), without the probe's overhead.
struct TimedStep {
    Op op = Op::barrier;
    uint8_t array = 0; // as in Access
    uint32_t line = 0; // as in Access
    uint64_t at = 0;   // when the warp reached it
    uint32_t since = 0;
    friend bool operator==(const TimedStep&, const TimedStep&) = default;
};

void fields(auto& visit, kernels::Like<TimedStep> auto& step)
{
    visit("op", step.op);
    visit("array", step.array);
    visit("line", step.line, kernels::between(0u, 0xffffffu));
    visit("at", step.at, any_time);
    visit("since", step.since);
}

struct TimedWarp {
    uint32_t block = 0, warp = 0; // linear index in the grid; index in the block
    uint32_t slot = 0;            // the warp's hardware slot on the SM when it began
    uint64_t begin = 0, end = 0;
    // GPU's global timer, relative to the first warp's begin; its resolution is coarse.
    uint64_t begin_ns = 0, end_ns = 0;
    uint32_t after = 0; // the kernel's own cycles from the last step to the end
    std::vector<TimedStep> steps;
    friend bool operator==(const TimedWarp&, const TimedWarp&) = default;
};
// Visits all fields except the steps, which a file stores as columns.
void fields_without_steps(auto& visit, kernels::Like<TimedWarp> auto& warp)
{
    visit("block", warp.block);
    visit("warp", warp.warp, kernels::between(0u, 31u));
    visit("slot", warp.slot, kernels::between(0u, 63u));
    visit("begin", warp.begin, any_time);
    visit("end", warp.end, any_time);
    visit("begin_ns", warp.begin_ns, any_time);
    visit("end_ns", warp.end_ns, any_time);
    visit("after", warp.after);
}
void fields(auto& visit, kernels::Like<TimedWarp> auto& warp)
{
    fields_without_steps(visit, warp);
    visit("steps", warp.steps);
}

// Derived: hardware assigns warps to an SM's schedulers by their slot.
inline constexpr uint32_t schedulers_per_sm = 4;
inline uint32_t scheduler_of(const TimedWarp& warp)
{
    return warp.slot % schedulers_per_sm;
}

struct WarpTimes {
    std::string stage; // slug
    std::vector<Parameter> parameters;
    Problem problem;
    uint32_t warps_per_block = 1;
    uint32_t sm = 0;           // the SM that these warps ran on
    uint32_t extra_shared = 0; // additional bytes of shared memory requested per block, to limit how many are resident
    Resources plain, probed;   // with extra_shared; of the timed kernel and of the kernel with the probe
    double plain_ms = 0, probed_ms = 0; // launch times without and with the probe: medians of interleaved runs
    std::vector<TimedWarp> warps;       // in order of their begin

    double slowdown() const { return probed_ms / plain_ms; }
    uint32_t resident_warps() const { return probed.blocks_per_sm * warps_per_block; }
    uint64_t span() const // time until the last warp ended
    {
        uint64_t last = 0;
        for (const TimedWarp& warp : warps)
            last = std::max(last, warp.end);
        return last;
    }
    friend bool operator==(const WarpTimes&, const WarpTimes&) = default;
};
// Visits all fields except stage, parameters, size and warps, which a file writes in its own way.
void fields_of_launch(auto& visit, kernels::Like<WarpTimes> auto& times)
{
    visit("warps_per_block", times.warps_per_block, kernels::between(1u, 32u));
    visit("sm", times.sm);
    visit("extra_shared", times.extra_shared);
    visit("plain", times.plain);
    visit("probed", times.probed);
    visit("plain_ms", times.plain_ms, kernels::above_zero);
    visit("probed_ms", times.probed_ms, kernels::above_zero);
}
void fields(auto& visit, kernels::Like<WarpTimes> auto& times)
{
    fields_of_launch(visit, times);
    visit("stage", times.stage);
    visit("parameters", times.parameters, kernels::any_number);
    visit("problem", times.problem, kernels::any_number);
    visit("warps", times.warps);
}

} // namespace recording
