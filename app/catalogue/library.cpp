#include "app/catalogue/library.h"

#include "app/catalogue/fields_json.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <nlohmann/json.hpp>

namespace app {

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
