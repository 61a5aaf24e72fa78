// What the warps of one SM did when, as a probe in the kernel's source noted it: plain data. Cycles are of the SM's clock, which
// all of its warps read, counted from when its first warp began.
#pragma once

#include "base/fields.h"
#include "recording/recording.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace recording {

// Cycles, or nanoseconds: a quarter of an hour at the least.
inline constexpr kernels::Between<uint64_t> any_time{0, uint64_t{1} << 40};

// Noted before the operation. `since`: the kernel's own cycles from the step before (or from the warp's begin), without what the
// probe took there.
struct TimedStep {
    Op op = Op::barrier;
    uint8_t array = 0; // as in Access
    uint32_t line = 0; // likewise
    uint64_t at = 0;   // when the warp came to it
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
    uint32_t block = 0, warp = 0; // linear in the grid; in the block
    uint32_t slot = 0;            // the hardware's number of it on the SM when it began
    uint64_t begin = 0, end = 0;
    uint64_t begin_ns = 0, end_ns = 0; // of the GPU's global timer, since the first warp's begin; it ticks coarsely
    uint32_t after = 0;                // the kernel's own cycles from the last step to the end
    std::vector<TimedStep> steps;
    friend bool operator==(const TimedWarp&, const TimedWarp&) = default;
};
// But for its steps, which a file keeps in columns.
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

// Derived: an SM's warps are dealt out to its schedulers by their slot.
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
    uint32_t sm = 0;                    // whose warps these are
    uint32_t extra_shared = 0;          // bytes that each block asked for beyond its own, so that fewer are resident
    Resources plain, probed;            // with those bytes: of the kernel that is timed, and of the one with the probe
    double plain_ms = 0, probed_ms = 0; // of the launch without and with the probe, medians of runs that took turns
    std::vector<TimedWarp> warps;       // in the order in which they began

    double slowdown() const { return probed_ms / plain_ms; }
    uint32_t resident_warps() const { return probed.blocks_per_sm * warps_per_block; }
    uint64_t span() const // until the last one ended
    {
        uint64_t last = 0;
        for (const TimedWarp& warp : warps)
            last = std::max(last, warp.end);
        return last;
    }
    friend bool operator==(const WarpTimes&, const WarpTimes&) = default;
};
// But for what a file writes in its own way: stage, parameters, size and warps.
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
