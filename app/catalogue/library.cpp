#include "app/catalogue/library.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace app {

namespace {

using nlohmann::json;

json to_json(const recording::Index3& index)
{
    return {index.x, index.y, index.z};
}

recording::Index3 index_from(const json& extent)
{
    if (!extent.is_array() || extent.size() != 3)
        throw kernels::Error("an extent has not three numbers");
    const auto side = [&](std::size_t i) {
        return static_cast<uint32_t>(Fields::whole_of(extent[i], "an extent", 1, 0x7fffffff));
    };
    return {side(0), side(1), side(2)};
}

recording::LaunchedKernel kernel_from(const Fields& row)
{
    return {.name = row.text("name"),
            .launch = {index_from(row.at("grid")), index_from(row.at("block"))},
            .cluster = index_from(row.at("cluster")),
            .resources = {.registers_per_thread = row.whole<uint32_t>("registers_per_thread"),
                          .shared_bytes_per_block = row.whole<uint32_t>("shared_bytes_per_block"),
                          .local_bytes_per_thread = row.whole<uint32_t>("local_bytes_per_thread")},
            .time_ns = row.figure("time_ns")};
}

} // namespace

json to_json(const std::vector<recording::LaunchedKernel>& kernels)
{
    json result = json::array();
    for (const recording::LaunchedKernel& kernel : kernels)
        result.push_back({{"name", kernel.name},
                          {"grid", to_json(kernel.launch.grid)},
                          {"block", to_json(kernel.launch.block)},
                          {"cluster", to_json(kernel.cluster)},
                          {"registers_per_thread", kernel.resources.registers_per_thread},
                          {"shared_bytes_per_block", kernel.resources.shared_bytes_per_block},
                          {"local_bytes_per_thread", kernel.resources.local_bytes_per_thread},
                          {"time_ns", kernel.time_ns}});
    return result;
}

std::vector<recording::LaunchedKernel> kernels_from(const json& list)
{
    std::vector<recording::LaunchedKernel> result;
    if (!list.is_array())
        throw kernels::Error("kernels is not a list");
    for (const json& kernel : list)
        result.push_back(kernel_from(Fields(kernel)));
    return result;
}

viz::LibraryKernels read_library(const std::filesystem::path& folder)
{
    viz::LibraryKernels result;
    recording::Provenance traced;
    result.missing =
        read_shipped({.folder = folder, .name = "library.json", .how = recording::How::recorded},
                     {.head =
                          [&](const Fields& file, const recording::Provenance& from) {
                              result.device = from.device;
                              result.compute_capability = file.whole_or<uint32_t>("compute_capability", 0);
                              result.sm_count = file.whole_or<uint32_t>("sm_count", 0);
                              traced = from;
                          },
                      .row =
                          [&](std::string_view, const Fields& row) {
                              const std::string slug = row.text("stage");
                              const kernels::Baseline* baseline = kernels::find_baseline(slug);
                              if (baseline != nullptr && baseline->needs_gpu())
                                  result.rows.push_back({slug,
                                                         std::string(kernels::name_of(baseline->precision.type)),
                                                         {.problem = problem_in(row, kernels::Operation::gemm),
                                                          .kernels = kernels_from(row.at("kernels")),
                                                          .from = traced}});
                          }});
    return result;
}

} // namespace app
