// CUPTI's Range Profiler on one context: counts what the kernels do that are launched while it is on. Internal to
// kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/cupti.h"
#include "cuda/metrics.h"

#include <functional>
#include <string>
#include <vector>

namespace cuda {

// One row of values per launch.
struct RangeValues {
    std::vector<std::string> names;
    std::vector<std::vector<double>> launches;
    int passes = 0;
};

class RangeProfiler {
public:
    // The context is current. Throws kernels::Unavailable as Cupti::check does.
    RangeProfiler(const Context& context, const Cupti& cupti);
    ~RangeProfiler();
    RangeProfiler(const RangeProfiler&) = delete;
    RangeProfiler& operator=(const RangeProfiler&) = delete;

    // Of the names, those that the GPU has. `work` makes `launches` launches and waits for them; CUPTI runs each several
    // times, and puts back the memory that it wrote in between.
    RangeValues count(std::span<const std::string_view> names, std::size_t launches, const std::function<void()>& work);

private:
    std::vector<uint8_t> data_image(const std::vector<const char*>& names, std::size_t launches) const;
    void collect(std::vector<uint8_t>& config, std::vector<uint8_t>& data, std::size_t launches,
                 const std::function<void()>& work) const;

    const Context& context_;
    const Cupti& cupti_;
    CUpti_RangeProfiler_Object* profiler_ = nullptr;
};

} // namespace cuda
