// What the GPU's own counters said of one run of a stage's uninstrumented kernel. Plain data, facts only.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace recording {

// By NVIDIA's names. A counter that this GPU does not have is absent: it is not zero.
struct Counters {
    std::map<std::string, uint64_t, std::less<>> sums; // over the stage's launches
    Resources resources;                               // of the first launch
    Device device;
    int launches = 0;
    int passes = 0; // how often it ran, each time from a cold L2 cache: the hardware counts a few things at a time
};

// Of the whole launch.
struct InstructionCount {
    std::size_t kernel = 0; // of the stage's launches
    uint32_t address = 0;   // bytes from the kernel's start
    uint64_t executed = 0;  // by warps
    uint64_t shared_wavefronts = 0, global_sectors = 0;
};

struct InstructionCounters {
    std::vector<InstructionCount> instructions; // ascending by kernel and address
    Device device;

    const InstructionCount* at(std::size_t kernel, uint32_t address) const; // null where nothing was counted
};

} // namespace recording
