// The GPU's counters of a job.
#include "cuda/cuda_backend.h"
#include "cuda/range_profiler.h"
#include "engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cuda {

namespace {

// Written before each run, it drives everything else out of the L2 cache: the runs then start alike, from a cold cache.
Buffer cache_filler(const Context& context)
{
    const auto l2 = static_cast<uint64_t>(context.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    return {context, std::max<uint64_t>(2 * l2, 1)};
}

} // namespace

kernels::Counters CudaBackend::counters(const kernels::Job& job, std::stop_token stop)
{
    const recording::Launch launch = begin(job, stop);
    const Cupti cupti(context_.cuda_version() / 1000);
    make_room(2 * kernels::shapes(job.stage->operation, job.problem).bytes() +
              kernels::workspace_bytes(*job.stage, job.parameters, job.problem));
    const kernels::Operands original =
        kernels::random_operands(job.stage->operation, job.problem, kernels::recording_seed);
    const DeviceOperands operands(context_, job, original);
    const Buffer filler = cache_filler(context_);
    const Kernels plain = loaded(job, kernels::ProbeKind::none);
    const std::string name = fmt::format("The kernel {}", job.stage->slug);
    RangeProfiler profiler(context_, cupti);
    const RangeValues counted = profiler.count(
        kernels::counter_names(), {.prepare =
                                       [&] {
                                           context_.upload(operands.C, original.C.data(), operands.C.bytes());
                                           context_.fill(filler, 0);
                                           context_.synchronize("Emptying the L2 cache");
                                       },
                                   .run =
                                       [&] {
                                           launch_plain(job, plain, operands);
                                           context_.synchronize(name);
                                       },
                                   .stop = stop});
    kernels::Counters result{.resources = plain.front()->resources(launch.threads_per_block()),
                             .device = device_,
                             .launches = static_cast<int>(plain.size()),
                             .passes = counted.passes};
    for (std::size_t i = 0; i < counted.names.size(); ++i)
        if (std::isfinite(counted.values[i]))
            result.sums[counted.names[i]] = static_cast<uint64_t>(std::llround(counted.values[i]));
    return result;
}

} // namespace cuda
