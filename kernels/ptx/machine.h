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
    bool only_first_block = false;                 // runs the first cluster, or block, alone
    bool last_block_first = false;                 // runs the clusters in reverse order
    std::vector<std::byte> arguments = {};         // in the layout of Program::parameters
    uint64_t most_steps = 20'000'000;              // of one warp; a warp that needs more never ends
    std::optional<recording::Index3> cluster = {}; // number of blocks in a cluster, if the launch sets it
    // Whether the launch is cooperative, so that its blocks can wait for one another. If it is not known, it is where
    // the kernel needs it.
    std::optional<bool> cooperative = {};
};

// Accesses to local memory, which contains arrays whose index differs by thread. Spilled registers are not counted,
// because PTX has enough registers.
struct LocalTraffic {
    uint64_t loads = 0, stores = 0; // instructions, counted by warp
    uint64_t bytes = 0;             // of all lanes of these instructions
};

struct Outcome {
    uint64_t steps = 0;                  // instructions, counted by warp
    std::vector<std::string> warnings;   // one sentence for each race
    std::vector<recording::Race> races;  // on shared memory; offsets are in the block's shared memory
    std::vector<std::string> remarks;    // what is unusual but not necessarily wrong, one sentence each
    std::string printed;                 // output of printf, block after block
    std::map<uint64_t, TensorMap> tiles; // the maps that fill tiles, by the tile's place in shared memory
    LocalTraffic local;                  // not in the steps that a Watch receives
    recording::Index3 cluster;           // number of blocks in a cluster
    bool together = false;               // all blocks of the grid ran together
    // Instructions, counted by warp, that access other blocks of the cluster. They are not in the steps either.
    uint64_t between_blocks = 0;
    // Instructions, counted by warp, that read textures, or read or write surfaces. They are not in the steps either.
    uint64_t textures = 0;
};

// Receives the steps of a run, and may change them. Step::instruction is the number of the statement in
// Program::statements, counted from 1.
using Watch = std::function<void(uint64_t block, uint32_t warp, traced::Step&)>;

// `regions` contains the buffers of the launch, followed by the program's variables. The launch changes them. Throws
// kernels::Error, with the line and the thread, if the kernel does something invalid or does not end. Throws
// kernels::Cancelled.
Outcome run(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch,
            std::stop_token stop = {});

// Throws kernels::Error if the program cannot be launched with these arguments and this shared memory.
void check_launch(const Program& program, const MachineLaunch& launch);

// Returns how many blocks an SM of an H200 (sm_90) holds. It has room for 64 warps and 32 blocks, 65,536 registers,
// which it allocates to a warp in units of 256, and 228 KiB of shared memory, of which the system takes 1 KiB for each
// block.
uint32_t blocks_per_sm(uint32_t warps, uint32_t registers, uint64_t shared);

// Returns the regions of the program's variables, with their initial values.
std::vector<Region> variable_regions(const Program& program);

// The following functions run the blocks on all cores if the order of the blocks does not matter. The outcome and the
// steps of each warp are the same as those of run(), which runs one block after another.

// Returns how many cores can share the blocks of the launch. Returns 1 if blocks change one another's memory by atomic
// operations, synchronize with one another or read the clock. Also returns 1 if there are too few blocks, or too little
// memory for several at a time.
std::size_t cores_for(const Program& program, const MachineLaunch& launch, const std::vector<Region>& regions);

// Runs a range of blocks on each core at the same time. Core i reports its steps to watches[i]. Returns nothing if two
// ranges use memory that one of them writes, so that the order of blocks matters, or if a block failed. Then the
// contents of `regions` are undefined, and the caller runs the launch in order. Throws kernels::Cancelled, and
// kernels::Error for a launch that run() refuses.
std::optional<Outcome> run_on_cores(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions,
                                    std::span<const Watch> watches, const std::stop_token& stop);

template <class Sink>
struct Watched {
    Outcome outcome;
    Sink sink;
};

// Runs a launch on as many cores as can share it. make() returns an empty sink. A sink takes steps, like a Watch. It
// can be copied before the first step, and its join() adds the steps of later blocks.
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
