// CUPTI's functions, resolved at run time, and its errors as sentences. Internal to kernels/cuda: it includes CUPTI's
// headers, which come with CUDA 12.6 and later.
#pragma once

#include "cuda/context.h"
#include "cuda/library.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <cupti_activity.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

namespace cuda {

struct Cupti {
    // Opens the CUPTI for a driver that supports CUDA `newest_major`. Throws kernels::Unavailable if none is found
    // (naming the package to install) or if it is too old.
    explicit Cupti(int newest_major = 1000);

    Library library;
#define CUPTI_FUNCTION(name) decltype(&::name) name = library.find<decltype(&::name)>(#name)
    CUPTI_FUNCTION(cuptiGetResultString);
    CUPTI_FUNCTION(cuptiProfilerInitialize);
    CUPTI_FUNCTION(cuptiDeviceGetChipName);
    CUPTI_FUNCTION(cuptiProfilerGetCounterAvailability);
    CUPTI_FUNCTION(cuptiProfilerHostInitialize);
    CUPTI_FUNCTION(cuptiProfilerHostDeinitialize);
    CUPTI_FUNCTION(cuptiProfilerHostGetMetricProperties);
    CUPTI_FUNCTION(cuptiProfilerHostConfigAddMetrics);
    CUPTI_FUNCTION(cuptiProfilerHostGetConfigImageSize);
    CUPTI_FUNCTION(cuptiProfilerHostGetConfigImage);
    CUPTI_FUNCTION(cuptiProfilerHostGetNumOfPasses);
    CUPTI_FUNCTION(cuptiProfilerHostEvaluateToGpuValues);
    CUPTI_FUNCTION(cuptiRangeProfilerEnable);
    CUPTI_FUNCTION(cuptiRangeProfilerDisable);
    CUPTI_FUNCTION(cuptiRangeProfilerGetCounterDataSize);
    CUPTI_FUNCTION(cuptiRangeProfilerCounterDataImageInitialize);
    CUPTI_FUNCTION(cuptiRangeProfilerSetConfig);
    CUPTI_FUNCTION(cuptiRangeProfilerStart);
    CUPTI_FUNCTION(cuptiRangeProfilerStop);
    CUPTI_FUNCTION(cuptiRangeProfilerPushRange);
    CUPTI_FUNCTION(cuptiRangeProfilerPopRange);
    CUPTI_FUNCTION(cuptiRangeProfilerDecodeData);
    CUPTI_FUNCTION(cuptiRangeProfilerGetCounterDataInfo);
    CUPTI_FUNCTION(cuptiRangeProfilerCounterDataGetRangeInfo);
    CUPTI_FUNCTION(cuptiSassMetricsGetProperties);
    CUPTI_FUNCTION(cuptiSassMetricsSetConfig);
    CUPTI_FUNCTION(cuptiSassMetricsUnsetConfig);
    CUPTI_FUNCTION(cuptiSassMetricsEnable);
    CUPTI_FUNCTION(cuptiSassMetricsDisable);
    CUPTI_FUNCTION(cuptiSassMetricsGetDataProperties);
    CUPTI_FUNCTION(cuptiSassMetricsFlushData);
    CUPTI_FUNCTION(cuptiPCSamplingEnable);
    CUPTI_FUNCTION(cuptiPCSamplingDisable);
    CUPTI_FUNCTION(cuptiPCSamplingSetConfigurationAttribute);
    CUPTI_FUNCTION(cuptiPCSamplingGetNumStallReasons);
    CUPTI_FUNCTION(cuptiPCSamplingGetStallReasons);
    CUPTI_FUNCTION(cuptiPCSamplingStart);
    CUPTI_FUNCTION(cuptiPCSamplingStop);
    CUPTI_FUNCTION(cuptiPCSamplingGetData);
    CUPTI_FUNCTION(cuptiActivityRegisterCallbacks);
    CUPTI_FUNCTION(cuptiActivityEnable);
    CUPTI_FUNCTION(cuptiActivityDisable);
    CUPTI_FUNCTION(cuptiActivityFlushAll);
    CUPTI_FUNCTION(cuptiActivityGetNextRecord);
    CUPTI_FUNCTION(cuptiActivityGetNumDroppedRecords);
#undef CUPTI_FUNCTION

    // Throws kernels::Unavailable with refusal() if the call failed.
    void check(CUptiResult result, const char* call) const;
};

// Returns the chip's name, "GH100". `gpu` is CUDA's device number.
std::string chip_name(const Cupti& cupti, uint32_t gpu);

// Returns a sentence that says why there are no counters and what to do. `name` is the result's name in CUPTI.
std::string refusal(CUptiResult result, const std::string& name, const char* call);

// Returns a parameter structure for CUPTI: its size is set, everything else is zero.
template <class Params>
Params sized(std::size_t size)
{
    Params params{};
    params.structSize = size;
    return params;
}

} // namespace cuda

// CUPTI_CALL(cupti, cuptiRangeProfilerStart, params) makes the call and throws if it fails.
#define CUPTI_CALL(cupti, call, ...) (cupti).check((cupti).call(__VA_ARGS__), #call)
#define CUPTI_PARAMS(type) cuda::sized<type>(type##_STRUCT_SIZE)

// The host part of reading counters: which counters a chip has, how to configure their collection, and how to evaluate
// the collected data. Needs no GPU. Internal to kernels/cuda.
namespace cuda {

class Metrics {
public:
    // `chip` is, for example, "GH100". `availability` comes from the GPU, or is empty. Throws kernels::Unavailable.
    Metrics(const Cupti& cupti, const std::string& chip, std::span<const uint8_t> availability);
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    bool has(const std::string& name) const;

    // Returns the configuration for collecting these metrics. Call it only once.
    std::vector<uint8_t> config(const std::vector<const char*>& names) const;

    int passes(std::vector<uint8_t>& config) const;

    // Returns the values of one range, in the order of `names`.
    std::vector<double> values(std::span<const uint8_t> data, std::size_t range, std::vector<const char*> names) const;

private:
    const Cupti& cupti_;
    std::vector<uint8_t> availability_; // the host object points to it
    CUpti_Profiler_Host_Object* host_ = nullptr;
};

// CUPTI's Range Profiler for one context counts what kernels do while it is on. Internal to kernels/cuda.

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
    // If not 0, counts each kernel that the ranges launch separately, up to this many kernels. A range lasts from the
    // first call until the GPU is idle again. On an H200 that is 50 to 100 us longer than its kernel (at 1024^3,
    // 2026-11-23), which is too long for rates of short kernels.
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
    // Returns the index of a range in RangeWork::ranges.
    std::size_t range_at(const std::vector<uint8_t>& data, std::size_t index) const;

    const Context& context_;
    const Cupti& cupti_;
    CUpti_RangeProfiler_Object* profiler_ = nullptr;
};

} // namespace cuda
