#include "app/data/gpu.h"

#include "app/data/config_folder.h"
#include "app/data/fields_json.h"

#include "error.h"
#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>

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

ReadGpu read_gpu(const std::filesystem::path& path)
try {
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown))
        return {{}, {{recording::Missing::not_kept, {path.string()}}}};
    return {gpu_from_json(read_json(path)), {}};
} catch (const std::exception& error) {
    return {{}, {{recording::Missing::unreadable, {path.string(), error.what()}}}};
}

ReadGpu read_shipped_gpu(const std::filesystem::path& folder)
{
    return folder.empty() ? ReadGpu{{}, {{recording::Missing::not_shipped, {"gpu.json"}}}}
                          : read_gpu(folder / "gpu.json");
}

void write_gpu(const GpuFacts& facts, const std::filesystem::path& path)
try {
    write_kept(path, to_json(facts).dump(1) + "\n");
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

} // namespace app
