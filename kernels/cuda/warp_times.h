// Plans CUPTI's PC sampling and converts its samples. Does not need CUPTI. Internal to kernels/cuda.
#pragma once

#include "recording/counted.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// Samples from CUPTI, summed over its buffers.
struct TakenSamples {
    struct Row {
        std::string function; // name in the cubin
        uint64_t address = 0; // in bytes from the function's start
        uint32_t state = 0;   // CUPTI's number of the state
        uint64_t warps = 0;
    };
    std::vector<Row> rows;
    std::map<uint32_t, std::string> states; // "smsp__pcsamp_warps_issue_stalled_wait"
    uint64_t taken = 0, dropped = 0, elsewhere = 0;
};

// Returns "wait" for "smsp__pcsamp_warps_issue_stalled_wait". Returns an empty text for names such as
// "..._wait_not_issued". They count a warp a second time if its scheduler issued nothing in the sampled cycle.
std::string_view state_of(std::string_view name);

// The number of runs of a kernel, and the sampling interval.
struct SamplingPlan {
    int launches = 1;
    uint32_t exponent = 0; // the interval is 2^exponent cycles of an SM
    friend bool operator==(const SamplingPlan&, const SamplingPlan&) = default;
};
// Plans enough samples to distinguish lines, but no more than the hardware has room for. `seconds` is for one launch.
SamplingPlan sampling_plan(double seconds, const recording::Device& device);

// Returns the samples of the kernels with these names, by kernel and address. Throws kernels::Unavailable if there are
// none.
recording::WarpSamples samples_by_address(const TakenSamples& taken, std::span<const std::string> names,
                                          const SamplingPlan& plan);

} // namespace cuda
