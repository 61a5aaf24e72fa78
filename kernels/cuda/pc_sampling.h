// CUPTI's PC sampling: at fixed intervals it reports the current instruction of a kernel's warps and what they wait
// for. Internal to kernels/cuda.
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

// Sampling is enabled for the object's lifetime. During that time CUPTI lets nothing else read counters of this
// context, and kernels to be sampled must be loaded.
class PcSampler {
public:
    // The context must be current, with nothing queued. Throws kernels::Unavailable like Cupti::check does.
    PcSampler(Cupti cupti, const Context& context, uint32_t exponent);
    PcSampler(const PcSampler&) = delete;
    PcSampler& operator=(const PcSampler&) = delete;

    // `work` queues launches and waits for them. Throws kernels::Unavailable if the hardware had no room left, and
    // whatever the work throws.
    TakenSamples sample(const std::function<void()>& work);

private:
    // The records that CUPTI fills in one call.
    struct Records {
        explicit Records(std::size_t count);
        std::vector<CUpti_PCSamplingStallReason> reasons;
        std::vector<CUpti_PCSamplingPCData> each;
        CUpti_PCSamplingData data;
    };
    // Enables sampling during its lifetime.
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
    bool read(Records& into, TakenSamples& taken) const; // returns whether there may be more

    Cupti cupti_;
    CUcontext context_;
    Records held_; // CUPTI uses these while it samples
    Enabled enabled_;
};

} // namespace cuda
