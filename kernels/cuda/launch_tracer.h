// Which kernels are launched while it lives, by whomever: CUPTI's activity records. Internal to kernels/cuda.
#pragma once

#include "cuda/cupti.h"
#include "recording/launched.h"

#include <vector>

namespace cuda {

// One at a time in a process.
class LaunchTracer {
public:
    // Throws kernels::Unavailable as Cupti::check does.
    explicit LaunchTracer(const Cupti& cupti);
    ~LaunchTracer();
    LaunchTracer(const LaunchTracer&) = delete;
    LaunchTracer& operator=(const LaunchTracer&) = delete;

    // In the order of their starts; whoever launched has waited for them. Throws likewise, and where records were lost.
    std::vector<recording::LaunchedKernel> finish();

private:
    const Cupti& cupti_;
    bool on_ = false;
};

} // namespace cuda
