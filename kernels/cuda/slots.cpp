#include "cuda/slots.h"

#include "device/probe_state.h"
#include "error.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuda {

namespace {

using recording::Access;
using recording::Op;
using recording::Transposed;

constexpr uint32_t never_came = ~0u;

// Uses two loops without a branch per lane, because a recording has millions of lanes.
void decode(const uint32_t* slot, Access& access)
{
    const uint32_t what = slot[0];
    access.op = static_cast<Op>(what & 0xff);
    if (access.op != Op::barrier) {
        access.array = static_cast<uint8_t>(what >> 8);
        access.width = static_cast<uint8_t>(what >> 16);
    }
    if (access.op == Op::matrix_load)
        access.transposed = (what >> slot_transposed_bit & 1) != 0 ? Transposed::yes : Transposed::no;
    access.line = slot[1];
    const uint32_t* offsets = slot + slot_header_words;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        mask |= uint32_t{offsets[lane] != not_active} << lane;
    access.mask = mask;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        access.offset[lane] = offsets[lane] == not_active ? 0 : offsets[lane];
}

} // namespace

bool append_steps(std::span<const uint32_t> slots, std::vector<Access>& accesses)
{
    for (; !slots.empty(); slots = slots.subspan(slot_words)) {
        if (slots[0] == never_came)
            return false;
        decode(slots.data(), accesses.emplace_back());
    }
    return true;
}

namespace {

constexpr uint32_t never_written = ~0u;
constexpr uint64_t most_steps = uint64_t{1} << 19; // 8 MiB, far more than a user can inspect

uint32_t difference(uint32_t later, uint64_t earlier) // difference of clock values whose upper halves were not recorded
{
    return later - static_cast<uint32_t>(earlier);
}

recording::TimedWarp timed_warp(const ClockWarp& from, std::span<const ClockStep> steps)
{
    recording::TimedWarp warp{.block = from.block,
                              .warp = from.warp,
                              .slot = from.slot,
                              .begin = from.begin,
                              .end = from.end,
                              .begin_ns = from.begin_ns,
                              .end_ns = from.end_ns,
                              .after = from.after,
                              .steps = {}};
    warp.steps.reserve(steps.size());
    uint64_t now = from.begin;
    for (const ClockStep& step : steps) {
        if (step.what == never_written)
            throw kernels::Error(fmt::format("Lane 0 of warp {} of block {} left the kernel before other lanes, so "
                                             "their steps are not noted; choose "
                                             "a size that is a multiple of the stage's tiles.",
                                             from.warp, from.block));
        now += difference(step.at, now);
        warp.steps.push_back({.op = static_cast<recording::Op>(step.what & 0xff),
                              .array = static_cast<uint8_t>(step.array),
                              .line = step.what >> 8,
                              .at = now,
                              .since = step.since});
    }
    return warp;
}

} // namespace

ClockRoom room_needed(uint32_t begun, std::span<const ClockWarp> warps, uint32_t sm)
{
    if (begun == 0)
        throw kernels::Error(
            fmt::format("No block of this launch ran on SM {}; choose a larger size, or another SM.", sm));
    ClockRoom room{begun, 0};
    for (const ClockWarp& warp : warps)
        room.steps = std::max(room.steps, warp.steps);
    if (uint64_t{room.warps} * room.steps > most_steps)
        throw kernels::Error(
            fmt::format("SM {} runs {} warps of up to {} steps, {} in all, and {} can be kept; choose a smaller "
                        "size, such as one with a smaller K.",
                        sm, room.warps, room.steps, uint64_t{room.warps} * room.steps, most_steps));
    return room;
}

std::vector<recording::TimedWarp> timed_warps(std::span<const ClockWarp> warps, std::span<const ClockStep> steps,
                                              const ClockRoom& room)
{
    std::vector<recording::TimedWarp> result;
    uint64_t first = ~uint64_t{0}, first_ns = ~uint64_t{0};
    for (std::size_t i = 0; i < warps.size(); ++i) {
        if (warps[i].steps > room.steps)
            throw kernels::Error(
                fmt::format("Warp {} of block {} took {} steps where another run had at most {}; the kernel "
                            "does not do the same in every launch.",
                            warps[i].warp, warps[i].block, warps[i].steps, room.steps));
        result.push_back(timed_warp(warps[i], steps.subspan(i * room.steps, warps[i].steps)));
        first = std::min(first, result.back().begin);
        first_ns = std::min(first_ns, result.back().begin_ns);
    }
    for (recording::TimedWarp& warp : result) {
        warp.begin -= first;
        warp.end -= first;
        warp.begin_ns -= first_ns;
        warp.end_ns -= first_ns;
        for (recording::TimedStep& step : warp.steps)
            step.at -= first;
    }
    std::ranges::stable_sort(result, {}, &recording::TimedWarp::begin);
    return result;
}

} // namespace cuda
