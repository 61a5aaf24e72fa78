#include "app/session/library_kernels.h"

#include "gemm/element_type.h"

#include <utility>

namespace app {

namespace {

void add(const BaselineMeasurement& traced, viz::LibraryKernels& kernels)
{
    const kernels::Baseline& baseline = *traced.baseline;
    if (!baseline.needs_gpu() || (traced.kernels.empty() && traced.kernels_missing.empty()))
        return;
    kernels.missing.clear();
    if (traced.kernels.empty()) {
        kernels.missing = {{recording::Missing::failed, {traced.kernels_missing}}};
        return;
    }
    const std::string slug(baseline.slug);
    std::erase_if(kernels.rows, [&](const auto& row) {
        const recording::Problem& own = row.at.problem;
        return row.slug == slug && own.M == traced.problem.M && own.N == traced.problem.N && own.K == traced.problem.K;
    });
    kernels.rows.push_back(
        {slug,
         std::string(kernels::name_of(baseline.precision.type)),
         {traced.problem, traced.kernels, {.how = recording::How::recorded, .device = kernels.device}}});
}

} // namespace

std::shared_ptr<const viz::LibraryKernels> library_kernels(const CataloguePtr& catalogue, const MachineFacts* machine,
                                                           std::span<const BaselineMeasurement> traced)
{
    const viz::LibraryKernels& shipped = catalogue->library;
    if (machine == nullptr || !machine->gpu())
        return {catalogue, &shipped};
    viz::LibraryKernels own = shipped.device == machine->device->name ? shipped : viz::LibraryKernels();
    own.device = machine->device->name;
    own.compute_capability = machine->device->compute_capability;
    own.sm_count = machine->device->sm_count;
    own.missing = {{recording::Missing::after_timing}};
    for (const BaselineMeasurement& one : traced)
        add(one, own);
    return std::make_shared<const viz::LibraryKernels>(std::move(own));
}

} // namespace app
