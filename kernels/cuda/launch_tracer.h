// Traces all kernel launches of the process during its lifetime, with CUPTI's activity records. Internal to
// kernels/cuda.
#pragma once

#include "cuda/cupti.h"
#include "recording/launched.h"

#include <vector>

namespace cuda {

// Only one may exist at a time.
class LaunchTracer {
public:
    // Throws kernels::Unavailable like Cupti::check does.
    explicit LaunchTracer(const Cupti& cupti);
    ~LaunchTracer();
    LaunchTracer(const LaunchTracer&) = delete;
    LaunchTracer& operator=(const LaunchTracer&) = delete;

    // Returns the launches in order of their start. The caller must have waited for them to end. Throws
    // kernels::Unavailable, also if records were lost.
    std::vector<recording::LaunchedKernel> finish();

private:
    const Cupti& cupti_;
    bool on_ = false;
};

} // namespace cuda
