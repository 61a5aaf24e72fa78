// CUPTI's Range Profiler for one context counts what kernels do while it is on. Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/cupti.h"
#include "cuda/metrics.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace cuda {

struct RangeValues {
    std::vector<std::string> names;
    std::vector<std::vector<double>>
        values; // of each range or kernel; NaN if the hardware could not collect the counter
    int passes = 0;
};

// The work to count. It is repeated, because the hardware counts only a few quantities at a time.
struct RangeWork {
    std::function<void()> prepare;             // runs before each repetition and is not counted
    std::vector<std::function<void()>> ranges; // each queues its work and waits for it; each is counted separately
    // If not 0, each kernel that the ranges launch is counted separately instead, up to this many kernels. A range
    // lasts from the first call until the GPU is idle again. On an H200 that is 50 to 100 us longer than its kernel (at
    // 1024^3, 2026-11-23), which is too long for rates of short kernels.
    std::size_t most_kernels = 0;
    std::stop_token stop;
};

class RangeProfiler {
public:
    // The context must be current. Throws kernels::Unavailable like Cupti::check does.
    RangeProfiler(const Context& context, const Cupti& cupti);
    ~RangeProfiler();
    RangeProfiler(const RangeProfiler&) = delete;
    RangeProfiler& operator=(const RangeProfiler&) = delete;

    // Counts those of the names that the GPU has. Throws kernels::Cancelled, and whatever the work throws.
    RangeValues count(std::span<const std::string_view> names, const RangeWork& work);

private:
    std::vector<uint8_t> data_image(const std::vector<const char*>& names, std::size_t ranges) const;
    void configure(std::vector<uint8_t>& config, std::vector<uint8_t>& data, const RangeWork& work) const;
    bool run_once(const RangeWork& work) const; // returns whether that was the last repetition
    std::size_t decode(std::vector<uint8_t>& data, const RangeWork& work) const; // returns the number of ranges
    // Returns the index of the range in the work.
    std::size_t range_at(const std::vector<uint8_t>& data, std::size_t index) const;

    const Context& context_;
    const Cupti& cupti_;
    CUpti_RangeProfiler_Object* profiler_ = nullptr;
};

} // namespace cuda
