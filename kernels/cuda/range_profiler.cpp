#include "cuda/range_profiler.h"

#include "error.h"

#include <fmt/format.h>

namespace cuda {

namespace {

std::string chip_name(const Cupti& cupti)
{
    auto params = CUPTI_PARAMS(CUpti_Device_GetChipName_Params);
    params.deviceIndex = 0; // as Context: the first that CUDA lists
    CUPTI_CALL(cupti, cuptiDeviceGetChipName, &params);
    return params.pChipName;
}

std::vector<uint8_t> availability(const Cupti& cupti, CUcontext context)
{
    auto params = CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
    params.ctx = context;
    CUPTI_CALL(cupti, cuptiProfilerGetCounterAvailability, &params);
    std::vector<uint8_t> image(params.counterAvailabilityImageSize);
    params.pCounterAvailabilityImage = image.data();
    CUPTI_CALL(cupti, cuptiProfilerGetCounterAvailability, &params);
    return image;
}

} // namespace

RangeProfiler::RangeProfiler(const Context& context, const Cupti& cupti) : context_(context), cupti_(cupti)
{
    auto initialize = CUPTI_PARAMS(CUpti_Profiler_Initialize_Params);
    CUPTI_CALL(cupti_, cuptiProfilerInitialize, &initialize);
}

RangeProfiler::~RangeProfiler()
{
    if (!profiler_)
        return;
    auto params = CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = profiler_;
    cupti_.cuptiRangeProfilerDisable(&params);
}

RangeValues RangeProfiler::count(std::span<const std::string_view> names, std::size_t launches,
                                 const std::function<void()>& work)
{
    const Metrics metrics(cupti_, chip_name(cupti_), availability(cupti_, context_.handle()));
    RangeValues result;
    for (const std::string_view name : names)
        if (metrics.has(std::string(name)))
            result.names.emplace_back(name);
    std::vector<const char*> known;
    for (const std::string& name : result.names)
        known.push_back(name.c_str());
    std::vector<uint8_t> config = metrics.config(known);
    result.passes = metrics.passes(config);

    auto enable = CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params);
    enable.ctx = context_.handle();
    CUPTI_CALL(cupti_, cuptiRangeProfilerEnable, &enable);
    profiler_ = enable.pRangeProfilerObject;

    std::vector<uint8_t> data = data_image(known, launches);
    collect(config, data, launches, work);
    for (std::size_t range = 0; range < launches; ++range)
        result.launches.push_back(metrics.values(data, range, known));
    return result;
}

std::vector<uint8_t> RangeProfiler::data_image(const std::vector<const char*>& names, std::size_t launches) const
{
    std::vector<const char*> changeable = names;
    auto size = CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = changeable.data();
    size.numMetrics = changeable.size();
    size.maxNumOfRanges = launches;
    size.maxNumRangeTreeNodes = static_cast<uint32_t>(launches);
    CUPTI_CALL(cupti_, cuptiRangeProfilerGetCounterDataSize, &size);

    std::vector<uint8_t> data(size.counterDataSize);
    auto initialize = CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    initialize.pRangeProfilerObject = profiler_;
    initialize.counterDataSize = data.size();
    initialize.pCounterData = data.data();
    CUPTI_CALL(cupti_, cuptiRangeProfilerCounterDataImageInitialize, &initialize);
    return data;
}

void RangeProfiler::collect(std::vector<uint8_t>& config, std::vector<uint8_t>& data, std::size_t launches,
                            const std::function<void()>& work) const
{
    auto set = CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    set.pRangeProfilerObject = profiler_;
    set.configSize = config.size();
    set.pConfig = config.data();
    set.counterDataImageSize = data.size();
    set.pCounterDataImage = data.data();
    set.range = CUPTI_AutoRange; // one per launch
    set.replayMode = CUPTI_KernelReplay;
    set.maxRangesPerPass = launches;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    CUPTI_CALL(cupti_, cuptiRangeProfilerSetConfig, &set);

    auto start = CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params);
    start.pRangeProfilerObject = profiler_;
    CUPTI_CALL(cupti_, cuptiRangeProfilerStart, &start);
    auto stop = CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params);
    stop.pRangeProfilerObject = profiler_;
    try {
        work();
    } catch (...) {
        cupti_.cuptiRangeProfilerStop(&stop);
        throw;
    }
    CUPTI_CALL(cupti_, cuptiRangeProfilerStop, &stop);

    auto decode = CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = profiler_;
    CUPTI_CALL(cupti_, cuptiRangeProfilerDecodeData, &decode);
    auto info = CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
    info.pCounterDataImage = data.data();
    info.counterDataImageSize = data.size();
    CUPTI_CALL(cupti_, cuptiRangeProfilerGetCounterDataInfo, &info);
    if (info.numTotalRanges != launches || decode.numOfRangeDropped != 0)
        throw kernels::Unavailable(fmt::format("The GPU's counters could not be read: CUPTI has seen {} launches, and "
                                               "{} were made; end other profilers and try again.",
                                               info.numTotalRanges, launches));
}

} // namespace cuda
