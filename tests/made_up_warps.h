// Test data: made-up warps of one SM in the form that a probe records. The steps are those of a stage, recorded on the
// CPU. The times come from a very simple machine: a load from global memory takes 500 cycles, and a scheduler does one
// thing at a time.
#pragma once

#include "backend.h"
#include "recording/warp_times.h"
#include "tests/ladder.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

class MadeUpSm {
public:
    MadeUpSm(std::string_view slug, uint32_t blocks, uint32_t resident_blocks) : resident_(resident_blocks)
    {
        const kernels::Stage& stage = test::stage(slug);
        const kernels::Job job{&stage, stage.standard_parameters(), {.M = 256, .N = 256, .K = 32}};
        steps_ = test::record(job).blocks.at(0).warps;
        const auto warps = static_cast<uint32_t>(steps_.size());
        const recording::Resources resources{40, 8192, 0, resident_blocks};
        times_ = {.stage = std::string(slug),
                  .parameters = kernels::named(stage, job.parameters),
                  .problem = job.problem,
                  .warps_per_block = warps,
                  .extra_shared = 65536 / resident_blocks,
                  .plain = resources,
                  .probed = resources,
                  .plain_ms = 0.02,
                  .probed_ms = 0.025,
                  .warps = {}};
        for (uint32_t block = 0; block < blocks; ++block)
            for (uint32_t warp = 0; warp < warps; ++warp)
                warps_.push_back({.times = {.block = block, .warp = warp, .slot = block % resident_ * warps + warp}});
        for (uint32_t block = 0; block < std::min(blocks, resident_); ++block)
            begin(block, 7 * block);
    }

    recording::WarpTimes run()
    {
        while (Warp* next = earliest())
            step(*next);
        for (Warp& warp : warps_)
            times_.warps.push_back(std::move(warp.times));
        std::ranges::stable_sort(times_.warps, {}, &recording::TimedWarp::begin);
        return std::move(times_);
    }

private:
    static constexpr uint64_t never = ~uint64_t{0};
    static constexpr uint64_t noting = 12, issuing = 8, latency = 500;
    struct Warp {
        recording::TimedWarp times;
        uint64_t ready = never, left = 0, loaded = 0;
        bool at_barrier = false;
    };

    void begin(uint32_t block, uint64_t when)
    {
        for (Warp& warp : warps_)
            if (warp.times.block == block) {
                warp.times.begin = when;
                warp.left = when + 4;
                warp.ready = when + 20;
            }
    }

    Warp* earliest()
    {
        const auto found = std::ranges::min_element(warps_, {}, &Warp::ready);
        return found == warps_.end() || found->ready == never ? nullptr : &*found;
    }

    void step(Warp& warp)
    {
        uint64_t& free = free_[warp.times.slot % recording::schedulers_per_sm];
        const std::vector<recording::Access>& all = steps_[warp.times.warp].accesses;
        const std::size_t number = warp.times.steps.size();
        const uint64_t now = std::max(warp.ready, free);
        if (number == all.size()) {
            end(warp, now);
            return;
        }
        const recording::Access& access = all[number];
        warp.times.steps.push_back({access.op, access.array, access.line, now, static_cast<uint32_t>(now - warp.left)});
        warp.left = now + noting;
        free = warp.left + issuing;
        warp.ready = warp.left + issuing;
        using recording::Op;
        const bool uses = access.op == Op::shared_store || access.op == Op::global_store;
        const bool again = number + 1 < all.size() && access.op == Op::global_load &&
                           all[number + 1].op == Op::global_load &&
                           all[number + 1].array <= access.array; // the next iteration of a loop
        if (uses || again)
            warp.ready = std::max(warp.ready, std::exchange(warp.loaded, 0));
        if (access.op == Op::global_load)
            warp.loaded = warp.left + latency;
        if (access.op == Op::shared_load)
            free = warp.ready = warp.left + 3 * issuing; // computes with what it has loaded
        if (access.op == Op::barrier)
            come(warp);
    }

    void come(Warp& warp)
    {
        warp.at_barrier = true;
        warp.ready = never;
        const auto of_block = [&](const Warp& one) { return one.times.block == warp.times.block; };
        const auto waits = [&](const Warp& one) { return !of_block(one) || one.at_barrier; };
        if (!std::ranges::all_of(warps_, waits))
            return;
        for (Warp& one : warps_)
            if (of_block(one)) {
                one.at_barrier = false;
                one.ready = warp.left + issuing;
            }
    }

    void end(Warp& warp, uint64_t now)
    {
        warp.times.end = now;
        warp.times.after = static_cast<uint32_t>(now - warp.left);
        warp.times.end_ns = now / 2;
        warp.ready = never;
        const uint32_t block = warp.times.block;
        if (std::ranges::all_of(warps_, [&](const Warp& one) { return one.times.block != block || one.times.end > 0; }))
            begin(block + resident_, now + 30);
    }

    uint32_t resident_;
    std::vector<recording::WarpTrace> steps_;
    std::vector<Warp> warps_;
    std::array<uint64_t, recording::schedulers_per_sm> free_{};
    recording::WarpTimes times_;
};

inline recording::WarpTimes made_up_warps(std::string_view slug, uint32_t blocks, uint32_t resident_blocks)
{
    return MadeUpSm(slug, blocks, resident_blocks).run();
}

} // namespace test
