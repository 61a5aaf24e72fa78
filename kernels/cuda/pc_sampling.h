// CUPTI's PC sampling: which instruction the warps of a kernel stand at, and what for, looked at every so many cycles. Internal
// to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/cupti.h"
#include "cuda/warp_samples.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cuda {

// On from its construction to its end: CUPTI lets nothing else read counters of this context meanwhile. Kernels that are to be
// found must be loaded meanwhile too.
class PcSampler {
public:
    // The context is current, and nothing else is queued. Throws kernels::Unavailable as Cupti::check does.
    PcSampler(Cupti cupti, const Context& context, uint32_t exponent);
    PcSampler(const PcSampler&) = delete;
    PcSampler& operator=(const PcSampler&) = delete;

    // `work` queues it and waits for it. Throws kernels::Unavailable where the hardware had no room left, and what the work throws.
    TakenSamples sample(const std::function<void()>& work);

private:
    // As many records as CUPTI may fill at a time.
    struct Records {
        explicit Records(std::size_t count);
        std::vector<CUpti_PCSamplingStallReason> reasons;
        std::vector<CUpti_PCSamplingPCData> each;
        CUpti_PCSamplingData data;
    };
    // For as long as it lives.
    struct Enabled {
        Enabled(const Cupti& cupti, CUcontext context);
        ~Enabled();
        Enabled(const Enabled&) = delete;
        Enabled& operator=(const Enabled&) = delete;
        const Cupti& cupti;
        CUcontext context;
    };
    void configure(uint32_t exponent);
    std::map<uint32_t, std::string> states() const;
    bool read(Records& into, TakenSamples& taken) const; // whether more may be there

    Cupti cupti_;
    CUcontext context_;
    Records held_; // CUPTI's own while it samples
    Enabled enabled_;
};

} // namespace cuda
