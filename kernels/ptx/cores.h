// A launch with its blocks on all cores, where the order of blocks does not show: the outcome and the steps of each warp are
// those of run(), which takes one block after another.
#pragma once

#include "ptx/machine.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace ptx {

// How many cores can share the launch's blocks. 1: its blocks change one another's memory by atomic operations, order one
// another, or look at the clock; or they are too few, or the memory for more than one at a time is too large.
std::size_t cores_for(const Program& program, const MachineLaunch& launch, const std::vector<Region>& regions);

// Each core runs a range of blocks, and at the same time calls its own watch with their steps: core i calls watches[i]. Returns no
// outcome if two ranges use memory that one of them writes, so that the order of blocks matters, or if a block failed; then the
// contents of `regions` are undefined, and the caller runs the launch in order. Throws kernels::Cancelled, and kernels::Error for
// a launch that run() refuses.
std::optional<Outcome> run_on_cores(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions,
                                    std::span<const Watch> watches, const std::stop_token& stop);

template <class Sink>
struct Watched {
    Outcome outcome;
    Sink sink;
};

// Runs a launch on as many cores as can share it. A sink takes steps, as a Watch does; it can be copied before the first one;
// and join() adds those of the blocks that come after its own. make(): an empty one.
template <class Make>
auto run_watched(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, Make make,
                 const std::stop_token& stop) -> Watched<decltype(make())>
{
    using Sink = decltype(make());
    const auto watch = [](Sink& sink) -> Watch {
        return [&sink](uint64_t block, uint32_t warp, traced::Step& step) { sink.take(block, warp, step); };
    };
    if (const std::size_t cores = cores_for(program, launch, regions); cores > 1) {
        std::vector<Sink> sinks(cores, make());
        std::vector<Watch> watches;
        for (Sink& sink : sinks)
            watches.push_back(watch(sink));
        std::vector<Region> changed = regions;
        if (std::optional<Outcome> outcome = run_on_cores(program, launch, changed, watches, stop)) {
            regions = std::move(changed);
            for (std::size_t i = 1; i < sinks.size(); ++i)
                sinks[0].join(std::move(sinks[i]));
            return {*std::move(outcome), std::move(sinks[0])};
        }
    }
    Sink sink = make();
    Outcome outcome = run(program, launch, regions, watch(sink), stop);
    return {std::move(outcome), std::move(sink)};
}

} // namespace ptx
