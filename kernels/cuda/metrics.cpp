#include "cuda/metrics.h"

namespace cuda {

Metrics::Metrics(const Cupti& cupti, const std::string& chip, std::span<const uint8_t> availability)
    : cupti_(cupti), availability_(availability.begin(), availability.end())
{
    auto params = CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    params.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
    CUPTI_CALL(cupti_, cuptiProfilerHostInitialize, &params);
    host_ = params.pHostObject;
}

Metrics::~Metrics()
{
    auto params = CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
    params.pHostObject = host_;
    cupti_.cuptiProfilerHostDeinitialize(&params);
}

bool Metrics::has(const std::string& name) const
{
    auto params = CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params);
    params.pHostObject = host_;
    params.pMetricName = name.c_str();
    return cupti_.cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

std::vector<uint8_t> Metrics::config(const std::vector<const char*>& names) const
{
    std::vector<const char*> changeable = names;
    auto add = CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = host_;
    add.ppMetricNames = changeable.data();
    add.numMetrics = changeable.size();
    CUPTI_CALL(cupti_, cuptiProfilerHostConfigAddMetrics, &add);

    auto size = CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = host_;
    CUPTI_CALL(cupti_, cuptiProfilerHostGetConfigImageSize, &size);

    std::vector<uint8_t> image(size.configImageSize);
    auto get = CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
    get.pHostObject = host_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    CUPTI_CALL(cupti_, cuptiProfilerHostGetConfigImage, &get);
    return image;
}

int Metrics::passes(std::vector<uint8_t>& config) const
{
    auto params = CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    params.configImageSize = config.size();
    params.pConfigImage = config.data();
    CUPTI_CALL(cupti_, cuptiProfilerHostGetNumOfPasses, &params);
    return static_cast<int>(params.numOfPasses);
}

std::vector<double> Metrics::values(std::span<const uint8_t> data, std::size_t range,
                                    std::vector<const char*> names) const
{
    std::vector<double> result(names.size());
    auto params = CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    params.pHostObject = host_;
    params.pCounterDataImage = data.data();
    params.counterDataImageSize = data.size();
    params.rangeIndex = range;
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = result.data();
    CUPTI_CALL(cupti_, cuptiProfilerHostEvaluateToGpuValues, &params);
    return result;
}

} // namespace cuda
