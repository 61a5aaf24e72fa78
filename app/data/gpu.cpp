#include "app/data/gpu.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"

#include "error.h"
#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <compare>
#include <map>
#include <vector>

namespace app {

namespace {

using Json = nlohmann::json;

constexpr int known_format = 1;

} // namespace

Json to_json(const GpuFacts& facts)
{
    Json json = to_named_json(facts);
    json["format"] = known_format;
    json["origins"] = {{"gpu", "as the driver describes it"},
                       {"measured", "measured: on it, by kernels/device/microbenchmarks.h"}};
    return json;
}

GpuFacts gpu_from_json(const nlohmann::json& json)
{
    require_format(json, known_format);
    auto facts = from_named_json<GpuFacts>(json);
    const std::size_t sms = facts.properties.sm_count;
    if (facts.measured && !facts.measured->group_of_sm.empty() && facts.measured->group_of_sm.size() != sms)
        throw kernels::Error("its groups are not of its SMs");
    return facts;
}

ShippedGpu read_gpu(const std::filesystem::path& path)
try {
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        return {{}, {{recording::Missing::not_kept, {path.string()}}}};
    return {gpu_from_json(read_json(path)), {}};
} catch (const std::exception& error) {
    return {{}, {{recording::Missing::unreadable, {path.string(), error.what()}}}};
}

ShippedGpu read_shipped_gpu(const std::filesystem::path& folder)
{
    return folder.empty() ? ShippedGpu{{}, {{recording::Missing::not_shipped, {"gpu.json"}}}}
                          : read_gpu(folder / "gpu.json");
}

void write_gpu(const GpuFacts& facts, const std::filesystem::path& path)
try {
    write_whole(path, to_json(facts).dump(1) + "\n");
} catch (const std::exception& error) {
    throw kernels::Error(fmt::format("What was measured could not be kept. {}", error.what()));
}

std::filesystem::path measured_gpu_path(const std::string& name)
{
    const std::filesystem::path folder = config_folder();
    if (folder.empty())
        return {};
    std::string plain;
    for (const char letter : name)
        plain += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
    return folder / fmt::format("gpu-{}.json", plain);
}

viz::LibraryKernels read_library(const std::filesystem::path& folder)
{
    viz::LibraryKernels result;
    recording::Provenance traced;
    result.missing = read_shipped(
        {.folder = folder, .name = "library.json", .how = recording::How::recorded},
        [&](const nlohmann::json& file, const recording::Provenance& from) {
            result.device = from.device;
            result.compute_capability = field_of<uint32_t>(file, "compute_capability", kernels::may_be_missing);
            result.sm_count = field_of<uint32_t>(file, "sm_count", kernels::may_be_missing);
            traced = from;
        },
        [&](std::string_view, const nlohmann::json& row) {
            const auto slug = field_of<std::string>(row, "stage");
            const kernels::Baseline* baseline = kernels::find_baseline(slug);
            if (baseline != nullptr && baseline->needs_gpu())
                result.rows.push_back({slug,
                                       std::string(kernels::name_of(baseline->precision.type)),
                                       {.problem = problem_in(row, kernels::Operation::gemm),
                                        .kernels = field_of<std::vector<recording::LaunchedKernel>>(row, "kernels"),
                                        .from = traced}});
        });
    return result;
}

namespace {

using nlohmann::json;
using recording::Op;
using recording::TimedStep;
using recording::TimedWarp;
using recording::WarpTimes;

constexpr uint32_t most_blocks = 64; // per SM

// The form of a row in the file. Thousands of steps are of a few kinds, and each kind is written once.
struct StepKind {
    uint8_t op = 0, array = 0;
    uint32_t line = 0;
    static constexpr bool is_listed = true;
    friend auto operator<=>(const StepKind&, const StepKind&) = default;
};

struct WarpRow {
    TimedWarp warp;
    // For each step: its kind, the cycles since the previous step (or the warp's begin), and the part of them that
    // belongs to the kernel itself.
    std::vector<uint64_t> steps;
};
void fields(auto& visit, kernels::Like<WarpRow> auto& row)
{
    fields_without_steps(visit, row.warp);
    visit("steps", row.steps);
}

struct TimesRow {
    WarpTimes times;
    std::vector<StepKind> kinds;
    std::vector<WarpRow> warps;
};
void fields(auto& visit, kernels::Like<TimesRow> auto& row)
{
    fields_of_launch(visit, row.times);
    visit("kinds", row.kinds);
    visit("warps", row.warps);
}

WarpRow row_of(const TimedWarp& warp, std::map<StepKind, uint64_t>& kinds)
{
    WarpRow row{.warp = warp, .steps = {}};
    uint64_t before = warp.begin;
    for (const TimedStep& step : warp.steps) {
        const StepKind kind{static_cast<uint8_t>(step.op), step.array, step.line};
        const uint64_t number = kinds.try_emplace(kind, kinds.size()).first->second;
        row.steps.insert(row.steps.end(), {number, step.at - before, step.since});
        before = step.at;
    }
    return row;
}

TimedWarp warp_of(const WarpRow& row, const std::vector<StepKind>& kinds)
{
    using kernels::between, kernels::check_limits;
    if (row.steps.size() % 3 != 0)
        throw kernels::Error("steps has not three numbers for each");
    if (kinds.empty() && !row.steps.empty())
        throw kernels::Error("kinds is empty");
    TimedWarp warp = row.warp;
    uint64_t now = warp.begin;
    for (std::size_t i = 0; i < row.steps.size(); i += 3) {
        const uint64_t number = row.steps[i], passed = row.steps[i + 1], own = row.steps[i + 2];
        check_limits("a step", number, between(uint64_t{0}, kinds.size() - 1));
        check_limits("a step's cycles", passed, recording::any_time);
        check_limits("a step's own cycles", own, between(uint64_t{0}, passed));
        const StepKind& kind = kinds[number];
        now += passed;
        warp.steps.push_back({static_cast<Op>(kind.op), kind.array, kind.line, now, static_cast<uint32_t>(own)});
    }
    if (now + warp.after > warp.end)
        throw kernels::Error("a warp ends before its last step");
    return warp;
}

// Converts a row. Throws kernels::Error for impossible times.
WarpTimes times_of(const TimesRow& row, const kernels::Job& job)
{
    WarpTimes result = row.times;
    for (const recording::Resources* launched : {&result.plain, &result.probed})
        kernels::check_limits("blocks_per_sm", launched->blocks_per_sm, kernels::between(1u, most_blocks));
    for (const StepKind& kind : row.kinds) {
        kernels::check_limits("an operation", kind.op,
                              kernels::between(uint8_t{0}, static_cast<int>(recording::Op::global_atomic)));
        kernels::check_limits("a line", kind.line, kernels::between(0u, 0xffffffu));
    }
    result.stage = job.stage->slug;
    result.parameters = kernels::named(*job.stage, job.parameters);
    result.problem = job.problem;
    for (const WarpRow& warp : row.warps)
        result.warps.push_back(warp_of(warp, row.kinds));
    if (result.warps.empty())
        throw kernels::Error("warps is empty");
    return result;
}

} // namespace

json to_json(const WarpTimes& times, const kernels::Stage& stage)
{
    TimesRow row{.times = times, .kinds = {}, .warps = {}};
    std::map<StepKind, uint64_t> kinds;
    for (const TimedWarp& warp : times.warps)
        row.warps.push_back(row_of(warp, kinds));
    row.kinds.resize(kinds.size());
    for (const auto& [kind, number] : kinds)
        row.kinds[number] = kind;
    kernels::Job job{&stage, {}, times.problem};
    for (const recording::Parameter& parameter : times.parameters)
        job.parameters.push_back(parameter.value);
    json result = to_named_json(row);
    write_job(result, job);
    return result;
}

viz::WatchedStages read_warps(const std::filesystem::path& folder, const Ladder& ladder)
{
    viz::WatchedStages result;
    result.missing = read_shipped(
        {.folder = folder, .name = "warps.json", .how = recording::How::recorded},
        [&](const json&, const recording::Provenance& from) { result.from = from; },
        [&](std::string_view, const json& row) {
            if (const std::optional<kernels::Job> job = job_in(row, ladder))
                result.rows.push_back(times_of(from_named_json<TimesRow>(row), *job));
        });
    return result;
}

viz::CacheHints read_cache_hints(const std::filesystem::path& folder)
{
    viz::CacheHints result;
    result.missing = read_shipped(
        {.folder = folder, .name = "cache_hints.json"},
        [&](const json&, const recording::Provenance& from) { result.from = from; },
        [&](std::string_view, const json& row) { result.rows.push_back(from_named_json<viz::CacheHintRow>(row)); });
    return result;
}

} // namespace app
