#include "cuda/sass_metrics.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <thread>
#include <utility>

namespace cuda {

namespace {

constexpr uint64_t no_metric = ~uint64_t{0};

struct Free {
    void operator()(const char* text) const { std::free(const_cast<char*>(text)); }
};

} // namespace

std::array<uint64_t, sass_metric_names.size()> sass_metric_ids(const Cupti& cupti, const std::string& chip)
{
    std::array<uint64_t, sass_metric_names.size()> ids{};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto params = CUPTI_PARAMS(CUpti_SassMetrics_GetProperties_Params);
        params.pChipName = chip.c_str();
        params.pMetricName = sass_metric_names[i].data();
        CUPTI_CALL(cupti, cuptiSassMetricsGetProperties, &params);
        ids[i] = params.metric.metricId;
    }
    return ids;
}

std::array<uint64_t, sass_metric_names.size()> sum_by_metric(std::span<const CUpti_SassMetrics_InstanceValue> instances,
                                                             std::span<const uint64_t> ids)
{
    std::array<uint64_t, sass_metric_names.size()> sums{};
    for (const CUpti_SassMetrics_InstanceValue& one : instances) {
        const auto found = std::find(ids.begin(), ids.end(), one.metricId);
        if (found != ids.end())
            sums.at(static_cast<std::size_t>(found - ids.begin())) += one.value;
    }
    return sums;
}

SassMetrics::SassMetrics(Cupti cupti, const Context& context)
    : cupti_(std::move(cupti)), context_(context.handle()), gpu_(context.number())
{
    auto initialize = CUPTI_PARAMS(CUpti_Profiler_Initialize_Params);
    CUPTI_CALL(cupti_, cuptiProfilerInitialize, &initialize);
    ids_ = sass_metric_ids(cupti_, chip_name(cupti_, gpu_));
    std::array<CUpti_SassMetrics_Config, sass_metric_names.size()> configs{};
    for (std::size_t i = 0; i < configs.size(); ++i)
        configs[i] = {ids_[i], CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
    auto params = CUPTI_PARAMS(CUpti_SassMetricsSetConfig_Params);
    params.numOfMetricConfig = configs.size();
    params.pConfigs = configs.data();
    params.deviceIndex = gpu_;
    CUPTI_CALL(cupti_, cuptiSassMetricsSetConfig, &params);
}

SassMetrics::~SassMetrics()
{
    auto params = CUPTI_PARAMS(CUpti_SassMetricsUnsetConfig_Params);
    params.deviceIndex = gpu_;
    cupti_.cuptiSassMetricsUnsetConfig(&params);
}

// Tries lazy patching first. It instruments only the kernels that run, which matters because all the ladder's kernels may
// be loaded. CUPTI 13.0 returned nothing with it for split_k, whose second kernel begins before the first one ends.
std::vector<SassMetrics::Row> SassMetrics::count(const std::function<void()>& work) const
{
    std::vector<Row> rows = count_patched(work, true);
    return rows.empty() ? count_patched(work, false) : rows;
}

std::vector<SassMetrics::Row> SassMetrics::count_patched(const std::function<void()>& work, bool lazily) const
{
    auto enable = CUPTI_PARAMS(CUpti_SassMetricsEnable_Params);
    enable.ctx = context_;
    enable.enableLazyPatching = lazily ? 1 : 0;
    auto disable = CUPTI_PARAMS(CUpti_SassMetricsDisable_Params);
    disable.ctx = context_;
    CUPTI_CALL(cupti_, cuptiSassMetricsEnable, &enable);
    std::vector<Row> rows;
    try {
        work();
        rows = flush();
    } catch (...) {
        cupti_.cuptiSassMetricsDisable(&disable);
        throw;
    }
    CUPTI_CALL(cupti_, cuptiSassMetricsDisable, &disable);
    return rows;
}

std::vector<SassMetrics::Row> SassMetrics::flush() const
{
    auto properties = CUPTI_PARAMS(CUpti_SassMetricsGetDataProperties_Params);
    properties.ctx = context_;
    CUPTI_CALL(cupti_, cuptiSassMetricsGetDataProperties, &properties);
    const std::size_t count = properties.numOfPatchedInstructionRecords;
    if (count == 0)
        return {};
    // Allocates room for all metrics of each instance. CUPTI's documentation does not say which of the two it counts.
    const std::size_t each = properties.numOfInstances * sass_metric_names.size();
    std::vector<CUpti_SassMetrics_InstanceValue> instances(count * each, {no_metric, 0});
    std::vector<CUpti_SassMetrics_Data> records(count, sized<CUpti_SassMetrics_Data>(sizeof(CUpti_SassMetrics_Data)));
    for (std::size_t i = 0; i < count; ++i)
        records[i].pInstanceValues = &instances[i * each];
    auto params = CUPTI_PARAMS(CUpti_SassMetricsFlushData_Params);
    params.ctx = context_;
    params.numOfPatchedInstructionRecords = count;
    params.numOfInstances = properties.numOfInstances;
    params.pMetricsData = records.data();
    CUPTI_CALL(cupti_, cuptiSassMetricsFlushData, &params);

    std::vector<Row> rows;
    for (std::size_t i = 0; i < count; ++i) {
        const std::unique_ptr<const char, Free> name(records[i].functionName); // the caller must free it
        rows.push_back(
            {name ? name.get() : "", records[i].pcOffset, sum_by_metric(std::span(&instances[i * each], each), ids_)});
    }
    return rows;
}

kernels::InstructionCounters counted_by_address(std::span<const SassMetrics::Row> rows,
                                                std::span<const std::string> names, const recording::Device& device)
{
    std::map<std::pair<std::size_t, uint32_t>, kernels::InstructionCount> counts;
    for (const SassMetrics::Row& row : rows) {
        const auto kernel =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), row.function) - names.begin());
        if (kernel == names.size())
            continue; // belongs to an earlier stage
        kernels::InstructionCount& count = counts[{kernel, row.address}];
        count.kernel = kernel;
        count.address = row.address;
        count.executed += row.values[0];
        count.shared_wavefronts += row.values[1];
        count.global_sectors += row.values[2];
    }
    if (counts.empty()) {
        std::string others;
        for (const SassMetrics::Row& row : rows)
            if (others.find(row.function) == std::string::npos)
                others += " " + row.function;
        throw kernels::Unavailable(
            fmt::format("CUPTI's SASS metrics have no instruction of this stage's kernel among {} "
                        "of{}; end other profilers and try again.",
                        rows.size(), others.empty() ? " none" : others));
    }
    kernels::InstructionCounters result{.instructions = {}, .device = device};
    for (const auto& [place, count] : counts)
        result.instructions.push_back(count);
    return result;
}

namespace {

constexpr std::size_t most_states = 128; // Hopper has about 40, including those for cycles in which nothing was issued
constexpr std::size_t records = 8192;    // instructions per buffer; if there are more, several buffers are read
constexpr int most_reads = 1024, most_waits = 3;
constexpr std::chrono::milliseconds cupti_threads_sleep{100}; // CUPTI's default
constexpr std::size_t hardware_bytes = std::size_t{256} << 20, host_bytes = std::size_t{32} << 20;

CUpti_PCSamplingConfigurationInfo attribute(CUpti_PCSamplingConfigurationAttributeType type)
{
    CUpti_PCSamplingConfigurationInfo info{};
    info.attributeType = type;
    return info;
}

[[noreturn]] void refuse_full()
{
    throw kernels::Unavailable(
        "Why warps wait is not known: the GPU's buffer for samples ran full; take a smaller size, or "
        "end what else runs on this GPU, and try again.");
}

// Returns the first attribute that CUPTI refused; CUPTI's result alone does not say which.
std::string refused(std::span<const CUpti_PCSamplingConfigurationInfo> all)
{
    for (const CUpti_PCSamplingConfigurationInfo& one : all)
        if (one.attributeStatus != CUPTI_SUCCESS)
            return fmt::format("cuptiPCSamplingSetConfigurationAttribute, attribute {}, status {}",
                               static_cast<int>(one.attributeType), static_cast<int>(one.attributeStatus));
    return "cuptiPCSamplingSetConfigurationAttribute";
}

} // namespace

PcSampler::Records::Records(std::size_t count) : reasons(count * most_states), each(count), data{}
{
    for (std::size_t i = 0; i < count; ++i) {
        each[i].size = sizeof(CUpti_PCSamplingPCData);
        each[i].stallReasonCount = most_states;
        each[i].stallReason = &reasons[i * most_states];
    }
    data.size = sizeof data;
    data.collectNumPcs = count;
    data.pPcData = each.data();
}

PcSampler::Enabled::Enabled(const Cupti& with, CUcontext in) : cupti(with), context(in)
{
    if (!cupti.cuptiPCSamplingEnable || !cupti.cuptiPCSamplingDisable ||
        !cupti.cuptiPCSamplingSetConfigurationAttribute || !cupti.cuptiPCSamplingGetNumStallReasons ||
        !cupti.cuptiPCSamplingGetStallReasons || !cupti.cuptiPCSamplingStart || !cupti.cuptiPCSamplingStop ||
        !cupti.cuptiPCSamplingGetData)
        throw kernels::Unavailable("The CUPTI that is installed cannot sample what warps wait for; install the package "
                                   "cuda-cupti-13-0 from NVIDIA's repository.");
    auto initialize = CUPTI_PARAMS(CUpti_Profiler_Initialize_Params);
    CUPTI_CALL(cupti, cuptiProfilerInitialize, &initialize);
    CUpti_PCSamplingEnableParams enable{};
    enable.size = CUpti_PCSamplingEnableParamsSize;
    enable.ctx = context;
    CUPTI_CALL(cupti, cuptiPCSamplingEnable, &enable);
}

PcSampler::Enabled::~Enabled()
{
    CUpti_PCSamplingDisableParams disable{};
    disable.size = CUpti_PCSamplingDisableParamsSize;
    disable.ctx = context;
    cupti.cuptiPCSamplingDisable(&disable);
}

// The buffers are allocated before sampling is enabled, because only the configuration should follow
// cuptiPCSamplingEnable. The states' names are available only after that call.
PcSampler::PcSampler(Cupti cupti, const Context& context, uint32_t exponent)
    : cupti_(std::move(cupti)), context_(context.handle()), held_(records), enabled_(cupti_, context_)
{
    configure(exponent);
}

// Kernels are not serialized: only this stage runs, and the gaps between its launches belong to the sampled time.
void PcSampler::configure(uint32_t exponent)
{
    std::array all = {attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE),
                      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD),
                      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE),
                      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE),
                      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL),
                      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT),
                      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)};
    all[0].attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    all[1].attributeData.samplingPeriodData.samplingPeriod = exponent;
    all[2].attributeData.scratchBufferSizeData.scratchBufferSize = host_bytes;
    all[3].attributeData.hardwareBufferSizeData.hardwareBufferSize = hardware_bytes;
    all[4].attributeData.enableStartStopControlData.enableStartStopControl = 1;
    all[5].attributeData.outputDataFormatData.outputDataFormat = CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED;
    all[6].attributeData.samplingDataBufferData.samplingDataBuffer = &held_.data;
    CUpti_PCSamplingConfigurationInfoParams params{};
    params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
    params.ctx = context_;
    params.numAttributes = all.size();
    params.pPCSamplingConfigurationInfo = all.data();
    const CUptiResult result = cupti_.cuptiPCSamplingSetConfigurationAttribute(&params);
    cupti_.check(result, refused(all).c_str());
}

std::map<uint32_t, std::string> PcSampler::states() const
{
    std::size_t count = 0;
    CUpti_PCSamplingGetNumStallReasonsParams number{};
    number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
    number.ctx = context_;
    number.numStallReasons = &count;
    CUPTI_CALL(cupti_, cuptiPCSamplingGetNumStallReasons, &number);
    if (count == 0 || count > most_states)
        throw kernels::Unavailable(fmt::format("Why warps wait is not known: CUPTI tells {} states of a warp apart, "
                                               "where 1 to {} were expected; install a CUPTI "
                                               "(package cuda-cupti) of the same version as the driver's CUDA.",
                                               count, most_states));
    std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> names(count);
    std::vector<char*> places;
    for (auto& name : names)
        places.push_back(name.data());
    std::vector<uint32_t> numbers(count);
    CUpti_PCSamplingGetStallReasonsParams params{};
    params.size = CUpti_PCSamplingGetStallReasonsParamsSize;
    params.ctx = context_;
    params.numStallReasons = count;
    params.stallReasonIndex = numbers.data();
    params.stallReasons = places.data();
    CUPTI_CALL(cupti_, cuptiPCSamplingGetStallReasons, &params);
    std::map<uint32_t, std::string> result;
    for (std::size_t i = 0; i < count; ++i) {
        names[i].back() = 0;
        result.emplace(numbers[i], names[i].data());
    }
    return result;
}

TakenSamples PcSampler::sample(const std::function<void()>& work)
{
    TakenSamples taken{.rows = {}, .states = states()};
    Records into(records); // CUPTI fills other buffers automatically
    CUpti_PCSamplingStartParams start{};
    start.size = CUpti_PCSamplingStartParamsSize;
    start.ctx = context_;
    CUpti_PCSamplingStopParams stop{};
    stop.size = CUpti_PCSamplingStopParamsSize;
    stop.ctx = context_;
    CUPTI_CALL(cupti_, cuptiPCSamplingStart, &start);
    try {
        work();
    } catch (...) {
        cupti_.cuptiPCSamplingStop(&stop);
        throw;
    }
    CUPTI_CALL(cupti_, cuptiPCSamplingStop, &stop);
    for (int reads = 0, waits = 0; reads < most_reads; ++reads) {
        if (read(into, taken))
            continue;
        if (!taken.rows.empty() || ++waits > most_waits)
            break;
        std::this_thread::sleep_for(cupti_threads_sleep); // CUPTI's threads may not have processed the samples yet
    }
    return taken;
}

bool PcSampler::read(Records& into, TakenSamples& taken) const
{
    for (CUpti_PCSamplingPCData& one : into.each)
        one.stallReasonCount = most_states; // CUPTI has overwritten this with the number of states
    into.data.totalNumPcs = into.data.remainingNumPcs = 0;
    into.data.totalSamples = into.data.droppedSamples = into.data.nonUsrKernelsTotalSamples = 0;
    CUpti_PCSamplingGetDataParams params{};
    params.size = CUpti_PCSamplingGetDataParamsSize;
    params.ctx = context_;
    params.pcSamplingData = &into.data;
    const CUptiResult result = cupti_.cuptiPCSamplingGetData(&params);
    if (result == CUPTI_ERROR_OUT_OF_MEMORY || into.data.hardwareBufferFull != 0)
        refuse_full();
    cupti_.check(result, "cuptiPCSamplingGetData");
    taken.taken += into.data.totalSamples;
    taken.dropped += into.data.droppedSamples;
    taken.elsewhere += into.data.nonUsrKernelsTotalSamples;
    const std::size_t all = into.data.totalNumPcs; // copied because the struct is packed
    const std::size_t found = std::min(all, into.each.size());
    for (std::size_t i = 0; i < found; ++i) {
        const CUpti_PCSamplingPCData& one = into.each[i];
        // The name is left to CUPTI and not freed: records share it, and it is short.
        const std::string function = one.functionName != nullptr ? one.functionName : "";
        const std::size_t states = std::min<std::size_t>(one.stallReasonCount, most_states);
        for (std::size_t j = 0; j < states; ++j)
            taken.rows.push_back(
                {function, one.pcOffset, one.stallReason[j].pcSamplingStallReasonIndex, one.stallReason[j].samples});
    }
    return found > 0 || into.data.remainingNumPcs > 0 || held_.data.totalNumPcs > 0 || held_.data.remainingNumPcs > 0;
}

} // namespace cuda
