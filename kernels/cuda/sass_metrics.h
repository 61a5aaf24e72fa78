// CUPTI's SASS metrics count what each machine instruction did in the launches while they are on. For this, CUPTI
// inserts code around every instruction of a kernel. Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/cupti.h"
#include "cuda/warp_times.h"
#include "measure/counters.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <cuda.h>

namespace cuda {

// The order of SassMetrics::Row::values.
inline constexpr std::array<std::string_view, 3> sass_metric_names = {
    "smsp__sass_inst_executed", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", "smsp__sass_sectors_mem_global"};

// Returns CUPTI's ids of these metrics, which need no GPU. Throws kernels::Unavailable if the chip lacks one.
std::array<uint64_t, sass_metric_names.size()> sass_metric_ids(const Cupti& cupti, const std::string& chip);

// Adds the instances' values by metric; values of other metrics are ignored.
std::array<uint64_t, sass_metric_names.size()> sum_by_metric(std::span<const CUpti_SassMetrics_InstanceValue> instances,
                                                             std::span<const uint64_t> ids);

// Create only one per process: configuring it for every launch ran out of memory after a few launches (H200, CUDA
// 13.0).
class SassMetrics {
public:
    // The context must be current. Throws kernels::Unavailable like Cupti::check does.
    SassMetrics(Cupti cupti, const Context& context);
    ~SassMetrics();
    SassMetrics(const SassMetrics&) = delete;
    SassMetrics& operator=(const SassMetrics&) = delete;

    struct Row {
        std::string function; // name in the cubin
        uint32_t address = 0; // in bytes from the function's start
        std::array<uint64_t, sass_metric_names.size()> values{};
    };
    // `work` queues launches and waits for them.
    std::vector<Row> count(const std::function<void()>& work) const;

private:
    std::vector<Row> count_patched(const std::function<void()>& work, bool lazily) const;
    std::vector<Row> flush() const;

    Cupti cupti_;
    CUcontext context_;
    uint32_t gpu_; // CUDA's device number
    std::array<uint64_t, sass_metric_names.size()> ids_;
};

// Returns the rows of the kernels with these names, by kernel and address. Throws kernels::Unavailable if there are
// none.
kernels::InstructionCounters counted_by_address(std::span<const SassMetrics::Row> rows,
                                                std::span<const std::string> names, const recording::Device& device);

// CUPTI's PC sampling: at fixed intervals it reports the current instruction of a kernel's warps and what they wait
// for. Internal to kernels/cuda.

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
