#include "cuda/cupti.h"

#include "error.h"

#include <fmt/format.h>

#include <charconv>

namespace cuda {

namespace {

// A CUPTI that is newer than the driver does not work with it.
Library open_cupti(int newest_major)
{
    Library library = newest_major >= 13 ? Library({"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
                                         : Library({"libcupti.so.12", "libcupti.so"});
    if (!library.found())
        throw kernels::Unavailable(fmt::format(
            "The GPU's counters are read through NVIDIA's CUPTI, which is not installed (libcupti.so was not "
            "found); install the package cuda-cupti-{} from NVIDIA's repository.",
            newest_major >= 13 ? "13-0" : "12-9"));
    return library;
}

} // namespace

Cupti::Cupti(int newest_major) : library(open_cupti(newest_major))
{
    // These functions were added last.
    if (!cuptiRangeProfilerCounterDataGetRangeInfo || !cuptiProfilerHostEvaluateToGpuValues ||
        !cuptiDeviceGetChipName || !cuptiSassMetricsFlushData)
        throw kernels::Unavailable("The CUPTI that is installed is too old to read counters for gemmscope; install the "
                                   "package cuda-cupti-12-9 or cuda-cupti-13-0 from NVIDIA's repository.");
}

void Cupti::check(CUptiResult result, const char* call) const
{
    if (result == CUPTI_SUCCESS)
        return;
    const char* name = nullptr;
    if (!cuptiGetResultString || cuptiGetResultString(result, &name) != CUPTI_SUCCESS || !name)
        name = "a result without a name";
    throw kernels::Unavailable(refusal(result, name, call));
}

std::string chip_name(const Cupti& cupti, uint32_t gpu)
{
    auto params = CUPTI_PARAMS(CUpti_Device_GetChipName_Params);
    params.deviceIndex = gpu; // CUDA's device number
    CUPTI_CALL(cupti, cuptiDeviceGetChipName, &params);
    return params.pChipName;
}

std::string refusal(CUptiResult result, const std::string& name, const char* call)
{
    const std::string origin = fmt::format(" ({} from {})", name, call);
    switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return "The NVIDIA driver lets only administrators read the GPU's counters" + origin +
               "; run gemmscope as root, or put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into a file in "
               "/etc/modprobe.d and restart the machine, or start the container with --cap-add=SYS_ADMIN.";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        return "The hypervisor does not let this virtual machine read the GPU's counters" + origin +
               "; its administrator can allow profiling for this virtual GPU.";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        return "The GPU runs in confidential-computing mode, which gives out no counters" + origin +
               "; use a machine without that mode.";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        return "The GPU is divided into MIG instances, which give out no counters" + origin +
               "; use a GPU that is not divided.";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
        return "The GPU gives out no counters under WSL" + origin +
               "; allow it in the NVIDIA control panel (developer settings), or use Linux itself.";
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_DISABLED:
        return "Another profiler has the GPU's counters" + origin +
               "; end it (Nsight, DCGM or another gemmscope) and try again.";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
        return "This CUPTI reads no counters of this GPU" + origin +
               "; it needs a GPU of compute capability 7.5 or later, and a CUPTI (package cuda-cupti) that is not "
               "older "
               "than the GPU.";
    default:
        return "The GPU's counters could not be read" + origin +
               "; check that CUPTI (package cuda-cupti) is of the same version as the driver's CUDA.";
    }
}

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

// Repeats the work here. CUPTI would save and restore all memory between repetitions, and could not empty the caches.
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
        // An older CUPTI repeats the work itself. Only the first repetition then starts with empty caches.
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
