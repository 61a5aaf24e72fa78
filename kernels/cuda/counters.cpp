// The GPU's counters of a job.
#include "cuda/cuda_backend.h"
#include "cuda/range_profiler.h"
#include "engine.h"

#include <fmt/format.h>

#include <cmath>

namespace cuda {

kernels::Counters CudaBackend::counters(const kernels::Job& job, std::stop_token stop)
{
    const recording::Launch launch = begin(job, stop);
    const Cupti cupti(context_.cuda_version() / 1000);
    make_room(2 * kernels::shapes(job.stage->operation, job.problem).bytes() +
              kernels::workspace_bytes(*job.stage, job.parameters, job.problem));
    const DeviceOperands operands(context_, job,
                                  kernels::random_operands(job.stage->operation, job.problem, kernels::recording_seed));
    const Kernels plain = loaded(job, kernels::ProbeKind::none);
    if (stop.stop_requested())
        throw kernels::Cancelled();
    RangeProfiler profiler(context_, cupti);
    const RangeValues values = profiler.count(kernels::counter_names(), plain.size(), [&] {
        launch_plain(job, plain, operands);
        context_.synchronize(fmt::format("The kernel {}", job.stage->slug));
    });
    kernels::Counters result{.resources = plain.front()->resources(launch.threads_per_block()),
                             .device = device_,
                             .launches = static_cast<int>(plain.size()),
                             .passes = values.passes};
    for (std::size_t i = 0; i < values.names.size(); ++i) {
        double sum = 0;
        for (const std::vector<double>& one : values.launches)
            sum += one[i];
        if (std::isfinite(sum)) // not a number where the hardware could not collect it
            result.sums[values.names[i]] = static_cast<uint64_t>(std::llround(sum));
    }
    return result;
}

} // namespace cuda
