// Runs a kernel's PTX with data, block after block, without a GPU.
#pragma once

#include "ptx/memory.h"
#include "ptx/program.h"
#include "ptx/tensor_map.h"
#include "traced/builder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

struct MachineLaunch {
    recording::Launch extent;
    uint64_t dynamic_shared_bytes = 0;
    bool only_first_block = false;                 // and those of its cluster
    bool last_block_first = false;                 // the clusters in reverse order
    std::vector<std::byte> arguments = {};         // as Program::parameters places them
    uint64_t most_steps = 20'000'000;              // of one warp; one that takes more is taken to run for ever
    std::optional<recording::Index3> cluster = {}; // blocks that run together, where the launch says it
};

// Of local memory: arrays whose index differs by thread. What the assembler spills comes on top: PTX has registers
// enough.
struct LocalTraffic {
    uint64_t loads = 0, stores = 0; // instructions of warps
    uint64_t bytes = 0;             // of all their lanes
};

struct Outcome {
    uint64_t steps = 0;                  // instructions of warps
    std::vector<std::string> warnings;   // races, a sentence each
    std::vector<std::string> remarks;    // what is unusual and need not be wrong, a sentence each
    std::string printed;                 // by printf, of one block after another
    std::map<uint64_t, TensorMap> tiles; // that tensor maps filled, by their place in shared memory
    LocalTraffic local;                  // in steps there is none of it
    recording::Index3 cluster;           // blocks that ran together
    uint64_t between_blocks = 0;         // instructions of warps that reach other blocks of the cluster; likewise
};

// A step's `instruction` is the number of its statement in Program::statements, counted from 1. The step is the
// watcher's.
using Watch = std::function<void(uint64_t block, uint32_t warp, traced::Step&)>;

// `regions`: the launch's buffers, which it changes, and the program's variables after them. Throws kernels::Error with
// the line and the thread where the kernel does what it may not, or does not end; kernels::Cancelled.
Outcome run(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch,
            std::stop_token stop = {});

// Throws kernels::Error where the program cannot be launched like that.
void check_launch(const Program& program, const MachineLaunch& launch);

// The regions of the program's variables, with their initial values.
std::vector<Region> variable_regions(const Program& program);

// A launch with its blocks on all cores, where the order of blocks does not show: the outcome and the steps of each
// warp are those of run(), which takes one block after another.

// How many cores can share the launch's blocks. 1: its blocks change one another's memory by atomic operations, order
// one another, or look at the clock; or they are too few, or the memory for more than one at a time is too large.
std::size_t cores_for(const Program& program, const MachineLaunch& launch, const std::vector<Region>& regions);

// Each core runs a range of blocks, and at the same time calls its own watch with their steps: core i calls watches[i].
// Returns no outcome if two ranges use memory that one of them writes, so that the order of blocks matters, or if a
// block failed; then the contents of `regions` are undefined, and the caller runs the launch in order. Throws
// kernels::Cancelled, and kernels::Error for a launch that run() refuses.
std::optional<Outcome> run_on_cores(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions,
                                    std::span<const Watch> watches, const std::stop_token& stop);

template <class Sink>
struct Watched {
    Outcome outcome;
    Sink sink;
};

// Runs a launch on as many cores as can share it. A sink takes steps, as a Watch does; it can be copied before the
// first one; and join() adds those of the blocks that come after its own. make(): an empty one.
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
