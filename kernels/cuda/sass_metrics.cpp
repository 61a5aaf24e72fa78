#include "cuda/sass_metrics.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
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

// Lazy patching instruments only the kernels that run, which matters because all the ladder's kernels may be loaded.
// But with it CUPTI 13.0 returned nothing for split_k, whose second kernel begins before the first one ends.
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
    // Allocates room for all metrics of each instance: CUPTI's documentation leaves open which of the two it counts.
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

} // namespace cuda
