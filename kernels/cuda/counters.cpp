// The GPU's counters of a job.
#include "measure/counters.h"
#include "cuda/cold_cache.h"
#include "cuda/cuda_backend.h"
#include "cuda/pc_sampling.h"
#include "cuda/range_profiler.h"
#include "cuda/sass_metrics.h"
#include "gemm/inputs.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace cuda {

namespace {

// Of the stage's kernels, as their cubins have them.
std::vector<std::string> lowered_names(const Compiler& compiler, const kernels::Job& job)
{
    std::vector<std::string> names;
    for (const KernelName& name : kernels_for(*job.stage, job.parameters, kernels::ProbeKind::none))
        names.push_back(compiler.compile(*job.stage, name).lowered_name);
    return names;
}

} // namespace

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
    return counted_by_address(rows, lowered_names(compiler_, job), device_);
}

kernels::WarpSamples CudaBackend::warp_samples(const kernels::Job& job, std::stop_token stop)
{
    begin(job, stop);
    make_room(kernels::shapes(job.stage->operation, job.problem).bytes() +
              kernels::workspace_bytes(*job.stage, job.parameters, job.problem));
    const DeviceOperands operands(context_, job,
                                  kernels::input_operands(job.stage->operation, job.problem, recording::input_seed));
    const std::string doing = fmt::format("The kernel {}", job.stage->slug);
    const auto run = [&](const Kernels& queued, int launches) {
        for (int i = 0; i < launches; ++i)
            launch_plain(job, queued, operands);
        context_.synchronize(doing);
    };
    const Kernels warm = loaded(job, kernels::ProbeKind::none);
    run(warm, 1);
    const auto begun = std::chrono::steady_clock::now();
    run(warm, 1);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
    const SamplingPlan plan = sampling_plan(seconds.count(), device_);
    if (stop.stop_requested())
        throw kernels::Cancelled();
    PcSampler sampler(Cupti(context_.cuda_version() / 1000), context_, plan.exponent);
    // Loaded anew: of what was loaded before it was switched on, CUPTI need not know the instructions.
    std::vector<Kernel> own;
    for (const KernelName& name : kernels_for(*job.stage, job.parameters, kernels::ProbeKind::none)) {
        const Compiled compiled = compiler_.compile(*job.stage, name);
        own.emplace_back(context_, compiled.image, compiled.lowered_name, name.dynamic_shared);
    }
    Kernels queued;
    for (const Kernel& kernel : own)
        queued.push_back(&kernel);
    const TakenSamples taken = sampler.sample([&] { run(queued, plan.launches); });
    return samples_by_address(taken, lowered_names(compiler_, job), plan);
}

} // namespace cuda
