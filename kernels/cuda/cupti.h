// CUPTI's functions, resolved at run time, and its errors as sentences. Internal to kernels/cuda: it includes CUPTI's
// headers, which come with CUDA 12.6 and later.
#pragma once

#include "cuda/library.h"

#include <cupti_activity.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <string>

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

// Returns the chip's name, "GH100"; takes the GPU's number.
std::string chip_name(const Cupti& cupti, uint32_t gpu); // its number

// Returns one sentence that says why there are no counters and what the user can do. `name` is the result's name in
// CUPTI.
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
