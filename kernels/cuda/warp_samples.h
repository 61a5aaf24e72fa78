// What becomes of the samples that CUPTI gives out, and how many to ask for. Needs no CUPTI. Internal to kernels/cuda.
#pragma once

#include "recording/counted.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// What CUPTI gave out, added up over its buffers.
struct TakenSamples {
    struct Row {
        std::string function; // its name in the cubin
        uint64_t address = 0; // bytes from the function's start
        uint32_t state = 0;   // CUPTI's number of it
        uint64_t warps = 0;
    };
    std::vector<Row> rows;
    std::map<uint32_t, std::string> states; // "smsp__pcsamp_warps_issue_stalled_wait"
    uint64_t taken = 0, dropped = 0, elsewhere = 0;
};

// "wait" of "smsp__pcsamp_warps_issue_stalled_wait". Empty for what is no state of its own: a warp that was looked at in a cycle
// in which its scheduler issued nothing is counted a second time, as "..._wait_not_issued".
std::string_view state_of(std::string_view name);

// How often to run a kernel, and how often to look meanwhile.
struct SamplingPlan {
    int launches = 1;
    uint32_t exponent = 0; // of two: cycles of an SM between two looks
    friend bool operator==(const SamplingPlan&, const SamplingPlan&) = default;
};
// Enough looks to tell lines apart, and no more than the hardware has room for. `seconds`: of one launch.
SamplingPlan sampling_plan(double seconds, const recording::Device& device);

// The samples of the kernels of these names, by kernel and address. Throws kernels::Unavailable where there are none.
recording::WarpSamples samples_by_address(const TakenSamples& taken, std::span<const std::string> names,
                                          const SamplingPlan& plan);

} // namespace cuda
