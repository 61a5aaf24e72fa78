#include "cuda/range_profiler.h"

#include "error.h"

#include <fmt/format.h>

#include <charconv>

namespace cuda {

namespace {

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

std::size_t most_ranges(const RangeWork& work)
{
    return work.most_kernels > 0 ? work.most_kernels : work.ranges.size();
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

RangeValues RangeProfiler::count(std::span<const std::string_view> names, const RangeWork& work)
{
    const Metrics metrics(cupti_, chip_name(cupti_, context_.number()), availability(cupti_, context_.handle()));
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

    std::vector<uint8_t> data = data_image(known, most_ranges(work));
    configure(config, data, work);
    while (!run_once(work))
        if (work.stop.stop_requested())
            throw kernels::Cancelled();
    const std::size_t ranges = decode(data, work);
    result.values.resize(ranges);
    for (std::size_t index = 0; index < ranges; ++index)
        result.values.at(work.most_kernels > 0 ? index : range_at(data, index)) = metrics.values(data, index, known);
    return result;
}

std::vector<uint8_t> RangeProfiler::data_image(const std::vector<const char*>& names, std::size_t ranges) const
{
    std::vector<const char*> changeable = names;
    auto size = CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = changeable.data();
    size.numMetrics = changeable.size();
    size.maxNumOfRanges = ranges;
    size.maxNumRangeTreeNodes = static_cast<uint32_t>(ranges);
    CUPTI_CALL(cupti_, cuptiRangeProfilerGetCounterDataSize, &size);

    std::vector<uint8_t> data(size.counterDataSize);
    auto initialize = CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    initialize.pRangeProfilerObject = profiler_;
    initialize.counterDataSize = data.size();
    initialize.pCounterData = data.data();
    CUPTI_CALL(cupti_, cuptiRangeProfilerCounterDataImageInitialize, &initialize);
    return data;
}

// The work is repeated here and not by CUPTI, which would save and restore all memory and could not empty the caches
// between repetitions.
void RangeProfiler::configure(std::vector<uint8_t>& config, std::vector<uint8_t>& data, const RangeWork& work) const
{
    auto set = CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    set.pRangeProfilerObject = profiler_;
    set.configSize = config.size();
    set.pConfig = config.data();
    set.counterDataImageSize = data.size();
    set.pCounterDataImage = data.data();
    set.range = work.most_kernels > 0 ? CUPTI_AutoRange : CUPTI_UserRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = most_ranges(work);
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    CUptiResult result = cupti_.cuptiRangeProfilerSetConfig(&set);
    if (work.most_kernels > 0 && (result == CUPTI_ERROR_INVALID_PARAMETER || result == CUPTI_ERROR_NOT_SUPPORTED)) {
        // For an older CUPTI; only the first repetition then starts with empty caches.
        set.replayMode = CUPTI_KernelReplay;
        result = cupti_.cuptiRangeProfilerSetConfig(&set);
    }
    cupti_.check(result, "cuptiRangeProfilerSetConfig");
}

bool RangeProfiler::run_once(const RangeWork& work) const
{
    auto start = CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params);
    start.pRangeProfilerObject = profiler_;
    auto push = CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params);
    push.pRangeProfilerObject = profiler_;
    auto pop = CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params);
    pop.pRangeProfilerObject = profiler_;
    auto stop = CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params);
    stop.pRangeProfilerObject = profiler_;
    work.prepare();
    CUPTI_CALL(cupti_, cuptiRangeProfilerStart, &start);
    try {
        for (std::size_t range = 0; range < work.ranges.size(); ++range) {
            if (work.most_kernels > 0) {
                work.ranges[range]();
                continue;
            }
            const std::string name = std::to_string(range);
            push.pRangeName = name.c_str();
            CUPTI_CALL(cupti_, cuptiRangeProfilerPushRange, &push);
            work.ranges[range]();
            CUPTI_CALL(cupti_, cuptiRangeProfilerPopRange, &pop);
        }
    } catch (...) {
        cupti_.cuptiRangeProfilerStop(&stop);
        throw;
    }
    CUPTI_CALL(cupti_, cuptiRangeProfilerStop, &stop);
    return stop.isAllPassSubmitted != 0;
}

std::size_t RangeProfiler::decode(std::vector<uint8_t>& data, const RangeWork& work) const
{
    auto decode = CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = profiler_;
    CUPTI_CALL(cupti_, cuptiRangeProfilerDecodeData, &decode);
    auto info = CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
    info.pCounterDataImage = data.data();
    info.counterDataImageSize = data.size();
    CUPTI_CALL(cupti_, cuptiRangeProfilerGetCounterDataInfo, &info);
    const bool all = work.most_kernels > 0 ? info.numTotalRanges > 0 : info.numTotalRanges == work.ranges.size();
    if (!all || decode.numOfRangeDropped != 0)
        throw kernels::Unavailable(fmt::format(
            "The GPU's counters could not be read: CUPTI has seen {} ranges instead of "
            "{}{}, and dropped {}; end other profilers and try again.",
            info.numTotalRanges, work.most_kernels > 0 ? "1 to " : "", most_ranges(work), decode.numOfRangeDropped));
    return info.numTotalRanges;
}

std::size_t RangeProfiler::range_at(const std::vector<uint8_t>& data, std::size_t index) const
{
    auto params = CUPTI_PARAMS(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
    params.pCounterDataImage = data.data();
    params.counterDataImageSize = data.size();
    params.rangeIndex = index;
    params.rangeDelimiter = "/";
    CUPTI_CALL(cupti_, cuptiRangeProfilerCounterDataGetRangeInfo, &params);
    const std::string_view name = params.rangeName;
    std::size_t range = 0;
    if (std::from_chars(name.begin(), name.end(), range).ec != std::errc())
        throw kernels::Unavailable(
            fmt::format("The GPU's counters could not be read: CUPTI calls a range '{}', which none here is.", name));
    return range;
}

} // namespace cuda
