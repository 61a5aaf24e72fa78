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
                result.rows.push_back(
                    {slug,
                     std::string(kernels::name_of(baseline->precision.type)),
                     {.problem = problem_in(row, kernels::Operation::gemm),
                      .kernels = field_of<std::vector<recording::LaunchedKernel>>(row.json(), "kernels"),
                      .from = traced}});
        });
    return result;
}

} // namespace app
