// Reads the GPU's counters for a job, and for a call of cuBLAS.
#include "measure/counters.h"
#include "cuda/cold_cache.h"
#include "cuda/cuda_backend.h"
#include "cuda/cupti.h"
#include "cuda/sass_metrics.h"
#include "gemm/inputs.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>

namespace cuda {

namespace {

// Returns the names of the stage's kernels in their cubins.
std::vector<std::string> lowered_names(const Compiler& compiler, const kernels::Job& job)
{
    std::vector<std::string> names;
    for (const KernelName& name : kernels_for(*job.stage, job.parameters, kernels::ProbeKind::none))
        names.push_back(compiler.compile(*job.stage, name).lowered_name);
    return names;
}

// Counts what `launch` queues; before each repetition the L2 cache is evicted and C is restored.
struct CountedWork {
    const DeviceOperands& operands;
    std::span<const std::byte> C; // initial value of C
    std::function<void()> launch;
    std::string name; // subject of the error sentences
};

// Limit for one call. Libraries also launch reductions of split products, and clear workspaces.
constexpr std::size_t most_kernels = 16;

RangeValues count_kernels(const Context& context, const Compiler& compiler, const Cupti& cupti, const CountedWork& work,
                          const std::stop_token& stop)
{
    const ColdCache empty_cache(context, compiler);
    std::vector<std::string_view> names(kernels::counter_names().begin(), kernels::counter_names().end());
    names.insert(names.end(), kernels::percent_names().begin(), kernels::percent_names().end());
    RangeProfiler profiler(context, cupti);
    return profiler.count(names, {.prepare =
                                      [&] {
                                          context.upload(work.operands.C, work.C.data(), work.C.size());
                                          empty_cache();
                                          context.synchronize("Emptying the L2 cache");
                                      },
                                  .ranges = {[&] {
                                      work.launch();
                                      context.synchronize(work.name);
                                  }},
                                  .most_kernels = most_kernels,
                                  .stop = stop});
}

kernels::Counters counters_of(const RangeValues& counted, const recording::Device& device)
{
    kernels::Counters result{
        .device = device, .launches = static_cast<int>(counted.values.size()), .passes = counted.passes};
    kernels::add_up(counted.names, counted.values, result);
    return result;
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
    const Kernels plain = loaded(job, kernels::ProbeKind::none);
    const kernels::DeviceMatrix initial = kernels::device_form(operands.types.c, original.C);
    const RangeValues counted = count_kernels(context_, compiler_, cupti,
                                              {.operands = operands,
                                               .C = initial.bytes,
                                               .launch = [&] { launch_plain(job, plain, operands); },
                                               .name = fmt::format("The kernel {}", job.stage->slug)},
                                              stop);
    kernels::Counters result = counters_of(counted, device_);
    result.resources = plain.front()->resources(launch.threads_per_block());
    return result;
}

kernels::Counters CudaBackend::cublas_counters(kernels::Precision precision, const recording::Problem& problem,
                                               std::stop_token stop)
{
    enter_cublas(problem, stop);
    const Cupti cupti(context_.cuda_version() / 1000);
    const kernels::Operands original =
        kernels::input_operands(kernels::Operation::gemm, problem, recording::input_seed);
    const DeviceOperands operands = library_operands(precision, problem, original);
    std::vector<std::byte> C(operands.C.bytes());
    context_.download(C.data(), operands.C, C.size());
    const auto multiply = [&] { multiply_with_cublas(precision, problem, operands); };
    multiply(); // the first call also selects an algorithm and loads its kernel
    context_.synchronize("cuBLAS");
    return counters_of(count_kernels(context_, compiler_, cupti,
                                     {.operands = operands, .C = C, .launch = multiply, .name = "cuBLAS"}, stop),
                       device_);
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
    // Loads the kernels again. CUPTI may not know the instructions of kernels that were loaded before it was enabled.
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
