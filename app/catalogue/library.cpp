#include "app/catalogue/library.h"

#include "app/catalogue/each_field.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <nlohmann/json.hpp>

namespace app {

namespace {

using nlohmann::json;

} // namespace

template <>
json written<recording::Index3>(const recording::Index3& index)
{
    return {index.x, index.y, index.z};
}

template <>
recording::Index3 read_from<recording::Index3>(const json& extent)
{
    if (!extent.is_array() || extent.size() != 3)
        throw kernels::Error("an extent has not three numbers");
    const auto side = [&](std::size_t i) {
        return static_cast<uint32_t>(Fields::whole_of(extent[i], "an extent", 1, 0x7fffffff));
    };
    return {side(0), side(1), side(2)};
}

void each_field(auto& form, Is<recording::LaunchedKernel> auto& kernel)
{
    form("name", kernel.name);
    form("grid", kernel.launch.grid);
    form("block", kernel.launch.block);
    form("cluster", kernel.cluster);
    form("registers_per_thread", kernel.resources.registers_per_thread);
    form("shared_bytes_per_block", kernel.resources.shared_bytes_per_block);
    form("local_bytes_per_thread", kernel.resources.local_bytes_per_thread);
    form("time_ns", kernel.time_ns);
}

json to_json(const std::vector<recording::LaunchedKernel>& kernels)
{
    return written(kernels);
}

std::vector<recording::LaunchedKernel> kernels_from(const json& list)
{
    std::vector<recording::LaunchedKernel> result;
    if (!list.is_array())
        throw kernels::Error("kernels is not a list");
    for (const json& kernel : list)
        result.push_back(read_from<recording::LaunchedKernel>(kernel));
    return result;
}

viz::LibraryKernels read_library(const std::filesystem::path& folder)
{
    viz::LibraryKernels result;
    recording::Provenance traced;
    result.missing = read_shipped(
        {.folder = folder, .name = "library.json", .how = recording::How::recorded},
        [&](const Fields& file, const recording::Provenance& from) {
            result.device = from.device;
            result.compute_capability = file.whole_or<uint32_t>("compute_capability", 0);
            result.sm_count = file.whole_or<uint32_t>("sm_count", 0);
            traced = from;
        },
        [&](std::string_view, const Fields& row) {
            const std::string slug = row.text("stage");
            const kernels::Baseline* baseline = kernels::find_baseline(slug);
            if (baseline != nullptr && baseline->needs_gpu())
                result.rows.push_back({slug,
                                       std::string(kernels::name_of(baseline->precision.type)),
                                       {.problem = problem_in(row, kernels::Operation::gemm),
                                        .kernels = kernels_from(row.at("kernels")),
                                        .from = traced}});
        });
    return result;
}

} // namespace app
