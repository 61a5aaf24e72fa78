// CUPTI's Range Profiler on one context: counts what the kernels do that are launched while it is on.
// Internal to kernels/cuda.
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
        values; // of each range or kernel; not a number where the hardware could not collect it
    int passes = 0;
};

// What is counted. The hardware counts a few things at a time, so that the work is done several times.
struct RangeWork {
    std::function<void()> prepare;             // before each time, not counted
    std::vector<std::function<void()>> ranges; // each queues its work, and waits for it; counted each alone
    // Other than 0: each kernel that they launch is counted alone instead, at most so many in all. A range lasts from the
    // first call until the GPU is idle again, on an H200 50 to 100 us longer than its kernel (at 1024^3, 2026-11-23): too long for
    // rates of short kernels.
    std::size_t most_kernels = 0;
    std::stop_token stop;
};

class RangeProfiler {
public:
    // The context is current. Throws kernels::Unavailable as Cupti::check does.
    RangeProfiler(const Context& context, const Cupti& cupti);
    ~RangeProfiler();
    RangeProfiler(const RangeProfiler&) = delete;
    RangeProfiler& operator=(const RangeProfiler&) = delete;

    // Of the names, those that the GPU has. Throws kernels::Cancelled, and what the work throws.
    RangeValues count(std::span<const std::string_view> names, const RangeWork& work);

private:
    std::vector<uint8_t> data_image(const std::vector<const char*>& names, std::size_t ranges) const;
    void configure(std::vector<uint8_t>& config, std::vector<uint8_t>& data, const RangeWork& work) const;
    bool run_once(const RangeWork& work) const;                                      // whether that was the last time
    std::size_t decode(std::vector<uint8_t>& data, const RangeWork& work) const;     // how many there are
    std::size_t range_at(const std::vector<uint8_t>& data, std::size_t index) const; // which of the work's it is

    const Context& context_;
    const Cupti& cupti_;
    CUpti_RangeProfiler_Object* profiler_ = nullptr;
};

} // namespace cuda
