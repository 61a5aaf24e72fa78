#include "app/catalogue/shipped_library.h"

#include "app/catalogue/shipped_file.h"
#include "app/cli/commands.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <fmt/format.h>

namespace app {

namespace {

using nlohmann::json;

recording::Index3 index_in(const json& extent)
{
    if (extent.size() != 3)
        throw kernels::Error("an extent has not three numbers");
    const recording::Index3 index{extent[0].get<uint32_t>(), extent[1].get<uint32_t>(), extent[2].get<uint32_t>()};
    if (index.x == 0 || index.y == 0 || index.z == 0)
        throw kernels::Error("an extent is zero");
    return index;
}

recording::LaunchedKernel kernel_in(const json& row)
{
    return {.name = row.at("name").get<std::string>(),
            .launch = {index_in(row.at("grid")), index_in(row.at("block"))},
            .cluster = index_in(row.at("cluster")),
            .resources = {.registers_per_thread = row.at("registers_per_thread").get<uint32_t>(),
                          .shared_bytes_per_block = row.at("shared_bytes_per_block").get<uint32_t>(),
                          .local_bytes_per_thread = row.at("local_bytes_per_thread").get<uint32_t>()},
            .time_ns = row.at("time_ns").get<double>()};
}

viz::LibraryKernels parse(const json& file)
{
    viz::LibraryKernels result{.device = file.at("device").get<std::string>(),
                               .compute_capability = file.value("compute_capability", 0u),
                               .sm_count = file.value("sm_count", 0u)};
    const std::string origin =
        fmt::format("traced on {}, {}, shipped with gemmscope", result.device, file.at("date").get<std::string>());
    for (const json& row : file.at("rows")) {
        const auto slug = row.at("stage").get<std::string>();
        const kernels::Baseline* baseline = kernels::find_baseline(slug);
        if (baseline == nullptr || !baseline->needs_gpu())
            continue;
        viz::KernelsAt at{.problem = parse_size(row.at("size").get<std::string>(), {}, kernels::Operation::gemm),
                          .origin = origin};
        for (const json& kernel : row.at("kernels"))
            at.kernels.push_back(kernel_in(kernel));
        result.rows.push_back({slug, std::string(kernels::name_of(baseline->precision.type)), std::move(at)});
    }
    return result;
}

} // namespace

viz::LibraryKernels read_shipped_library(const std::filesystem::path& folder)
{
    if (folder.empty())
        return {.missing = "No kernels of cuBLAS are shipped."};
    viz::LibraryKernels result;
    std::string missing = read_shipped_file(folder / "library.json", "kernels of cuBLAS",
                                            [&](const json& file) { result = parse(file); });
    return missing.empty() ? result : viz::LibraryKernels{.missing = std::move(missing)};
}

} // namespace app
