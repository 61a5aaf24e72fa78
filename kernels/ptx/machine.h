// Runs a kernel's PTX with data, block after block, without a GPU.
#pragma once

#include "ptx/memory.h"
#include "ptx/program.h"
#include "ptx/tensor_map.h"
#include "traced/builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptx {

struct MachineLaunch {
    recording::Launch extent;
    uint64_t dynamic_shared_bytes = 0;
    bool only_first_block = false;                 // and those of its cluster
    std::vector<std::byte> arguments = {};         // as Program::parameters places them
    uint64_t most_steps = 20'000'000;              // of one warp; one that takes more is taken to run for ever
    std::optional<recording::Index3> cluster = {}; // blocks that run together, where the launch says it
};

// Of local memory: arrays whose index differs by thread. What the assembler spills comes on top: PTX has registers enough.
struct LocalTraffic {
    uint64_t loads = 0, stores = 0; // instructions of warps
    uint64_t bytes = 0;             // of all their lanes
};

struct Outcome {
    uint64_t steps = 0;                  // instructions of warps
    std::vector<std::string> warnings;   // races, a sentence each
    std::string printed;                 // by printf, of one block after another
    std::map<uint64_t, TensorMap> tiles; // that tensor maps filled, by their place in shared memory
    LocalTraffic local;                  // in steps there is none of it
    recording::Index3 cluster;           // blocks that ran together
    uint64_t between_blocks = 0;         // instructions of warps that reach other blocks of the cluster; likewise
};

// A step's `instruction` is the number of its statement in Program::statements, counted from 1. The step is the watcher's.
using Watch = std::function<void(uint64_t block, uint32_t warp, traced::Step&)>;

// `regions`: the launch's buffers, which it changes, and the program's variables after them. Throws kernels::Error with the
// line and the thread where the kernel does what it may not, or does not end; kernels::Cancelled.
Outcome run(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch,
            std::stop_token stop = {});

// Throws kernels::Error where the program cannot be launched like that.
void check_launch(const Program& program, const MachineLaunch& launch);

// The regions of the program's variables, with their initial values.
std::vector<Region> variable_regions(const Program& program);

} // namespace ptx
