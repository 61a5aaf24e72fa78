// The GPU's counters of a job.
#include "measure/counters.h"
#include "cuda/cold_cache.h"
#include "cuda/cuda_backend.h"
#include "cuda/range_profiler.h"
#include "cuda/sass_metrics.h"
#include "gemm/inputs.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <cmath>

namespace cuda {

kernels::Counters CudaBackend::counters(const kernels::Job& job, std::stop_token stop)
{
    const recording::Launch launch = begin(job, stop);
    const Cupti cupti(context_.cuda_version() / 1000);
    make_room(2 * kernels::shapes(job.stage->operation, job.problem).bytes() +
              kernels::workspace_bytes(*job.stage, job.parameters, job.problem));
    const kernels::Operands original =
        kernels::input_operands(job.stage->operation, job.problem, recording::input_seed);
    const DeviceOperands operands(context_, job, original);
    const ColdCache empty_cache(context_, compiler_);
    const Kernels plain = loaded(job, kernels::ProbeKind::none);
    const std::string name = fmt::format("The kernel {}", job.stage->slug);
    RangeProfiler profiler(context_, cupti);
    const RangeValues counted = profiler.count(
        kernels::counter_names(), {.prepare =
                                       [&] {
                                           context_.upload(operands.C, original.C.data(), operands.C.bytes());
                                           empty_cache();
                                           context_.synchronize("Emptying the L2 cache");
                                       },
                                   .ranges = {[&] {
                                       launch_plain(job, plain, operands);
                                       context_.synchronize(name);
                                   }},
                                   .stop = stop});
    kernels::Counters result{.resources = plain.front()->resources(launch.threads_per_block()),
                             .device = device_,
                             .launches = static_cast<int>(plain.size()),
                             .passes = counted.passes};
    for (std::size_t i = 0; i < counted.names.size(); ++i)
        if (const double value = counted.values.front()[i]; std::isfinite(value))
            result.sums[counted.names[i]] = static_cast<uint64_t>(std::llround(value));
    return result;
}

kernels::InstructionCounters CudaBackend::instruction_counters(const kernels::Job& job, std::stop_token stop)
{
    begin(job, stop);
    if (!sass_metrics_)
        sass_metrics_ = std::make_shared<SassMetrics>(Cupti(context_.cuda_version() / 1000), context_);
    make_room(kernels::shapes(job.stage->operation, job.problem).bytes() +
              kernels::workspace_bytes(*job.stage, job.parameters, job.problem));
    const DeviceOperands operands(context_, job,
                                  kernels::input_operands(job.stage->operation, job.problem, recording::input_seed));
    const Kernels plain = loaded(job, kernels::ProbeKind::none);
    const std::vector<SassMetrics::Row> rows = sass_metrics_->count([&] {
        launch_plain(job, plain, operands);
        context_.synchronize(fmt::format("The kernel {}", job.stage->slug));
    });
    std::vector<std::string> names; // of the kernels, as their cubins have them
    for (const KernelName& name : kernels_for(*job.stage, job.parameters, kernels::ProbeKind::none))
        names.push_back(compiler_.compile(*job.stage, name).lowered_name);
    return counted_by_address(rows, names, device_);
}

} // namespace cuda
