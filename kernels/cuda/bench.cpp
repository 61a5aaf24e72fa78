// Benchmarks: a stage interleaved with cuBLAS, cuBLAS alone, and the GPU itself.
#include "cuda/cuda_backend.h"
#include "cuda/sampler.h"
#include "gemm/element_type.h"
#include "gemm/inputs.h"
#include "measure/speed.h"
#include "recording/disk.h"
#include "recording/inputs.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cuda {

BenchInputs& CudaBackend::inputs(const kernels::Job& job, std::stop_token stop)
{
    const kernels::Operation operation = job.stage->operation;
    const Types types = kernels::types_of(job);
    const bool same = inputs_ && inputs_->operation == operation && inputs_->problem == job.problem;
    if (same && inputs_->types == types) {
        inputs_->on_device.fit_workspace(context_, job);
        return *inputs_;
    }
    std::optional<BenchInputs> last = std::exchange(inputs_, std::nullopt);
    BenchInputs next{.operation = operation, .problem = job.problem, .types = types};
    if (same) {
        next.original = std::move(last->original);
        next.exact = std::move(last->exact);
    }
    last.reset(); // freed first, because both may not fit on the GPU
    if (!same) {
        next.original = kernels::input_operands(operation, job.problem, recording::input_seed);
        next.exact = reference(job, next.original, stop);
    }
    if (types.ab != type_fp32) {
        kernels::Operands operands = next.original;
        kernels::round_all(operands.A, types.ab);
        kernels::round_all(operands.B, types.ab);
        kernels::round_all(operands.C, types.c);
        next.rounded = reference(job, operands, stop);
    }
    next.on_device = DeviceOperands(context_, job, next.original);
    return inputs_.emplace(std::move(next));
}

void CudaBackend::make_room(uint64_t bytes)
{
    if (inputs_ && bytes > context_.free_bytes())
        inputs_.reset();
}

// Sets the errors of one run on poisoned output (on the initial C if C is read), as in kernels::verify.
void CudaBackend::checked_run(const kernels::Job& job, const BenchInputs& inputs, kernels::BenchResult& result)
{
    const Buffer& C = inputs.on_device.C;
    if (job.problem.beta == 0 || !kernels::facts(job.stage->operation).is_scaled)
        context_.fill(C, 0xff); // all bits set is a NaN in every type
    else
        inputs.on_device.restore_c(context_, inputs.original);
    context_.fill(inputs.on_device.workspace, 0xff);
    launch_plain(job, loaded(job, kernels::ProbeKind::none), inputs.on_device);
    context_.synchronize("The kernel " + std::string(job.stage->slug));
    const std::vector<float> output = inputs.on_device.result(context_);
    result.relative_error = kernels::relative_error(output, inputs.expected());
    result.total_error =
        inputs.types.ab == type_fp32 ? result.relative_error : kernels::relative_error(output, inputs.exact);
}

namespace {

// An algorithm that is slower than the best by this factor in its first run cannot be the fastest.
constexpr double hopeless = 1.5;
constexpr double trial_seconds = 0.02; // for each remaining algorithm

// Returns the index of the fastest algorithm: tries each once, then times those close to the best alternately.
std::size_t fastest_of(const std::vector<std::function<void()>>& ways, const Sampler& sampler,
                       const std::stop_token& stop)
{
    std::vector<double> once;
    for (const std::function<void()>& way : ways)
        once.push_back(sampler.once({.launch = way, .samples = {}}, stop));
    const double least = *std::ranges::min_element(once);
    std::vector<std::size_t> left;
    std::vector<Subject> subjects;
    for (std::size_t i = 0; i < ways.size(); ++i)
        if (once[i] <= least * hopeless) {
            left.push_back(i);
            subjects.push_back({.launch = ways[i], .samples = {}});
        }
    sampler.sample(subjects, trial_seconds, stop);
    const auto time = [](const Subject& subject) { return kernels::timing_of(subject.samples).median_ms; };
    return left[static_cast<std::size_t>(std::ranges::min_element(subjects, {}, time) - subjects.begin())];
}

} // namespace

const std::function<void()>& CudaBackend::library_best(const kernels::Job& job, const Sampler& sampler,
                                                       std::stop_token stop)
{
    BenchInputs& inputs = this->inputs(job, stop);
    if (inputs.library_best)
        return inputs.library_best;
    if (!cublas_lt_)
        cublas_lt_ = std::make_unique<CublasLt>(context_);
    const DeviceOperands& on_device = inputs.on_device;
    const std::vector<std::function<void()>> ways =
        cublas_lt_->ways({inputs.types, inputs.operation}, inputs.problem, on_device.A, on_device.B, on_device.C);
    if (!ways.empty())
        inputs.library_best = ways[fastest_of(ways, sampler, stop)];
    return inputs.library_best;
}

kernels::BenchResult CudaBackend::bench(const kernels::Job& job, const kernels::BenchOptions& options,
                                        std::stop_token stop)
{
    begin(job, stop);
    const BenchInputs& inputs = this->inputs(job, stop);
    const DeviceOperands& on_device = inputs.on_device;
    kernels::BenchResult result;
    checked_run(job, inputs, result);

    const kernels::OperationFacts& operation = kernels::facts(job.stage->operation);
    Buffer initial;
    if (operation.is_scaled && job.problem.beta != 0) {
        initial = Buffer(context_, on_device.C.bytes());
        on_device.restore_c(context_, inputs.original);
        context_.copy(initial, on_device.C);
    }
    std::vector<Subject> subjects;
    const Kernels plain = loaded(job, kernels::ProbeKind::none);
    const Launches launches = this->launches(job, on_device);
    subjects.push_back({.launch = [&] { launches.queue(plain); }, .launches_per_sample = 1, .samples = {}});
    if (operation.no_cublas.empty() && cublas())
        subjects.push_back({.launch =
                                [&] {
                                    cublas_->gemm({inputs.types, job.stage->operation}, job.problem, on_device.A,
                                                  on_device.B, on_device.C);
                                },
                            .launches_per_sample = 1,
                            .samples = {}});
    else
        result.cublas_missing = operation.no_cublas.empty() ? cublas_missing_ : operation.no_cublas;

    const Sampler sampler(context_, on_device.C, initial.bytes() > 0 ? &initial : nullptr);
    if (options.library_best && subjects.size() > 1)
        if (const std::function<void()>& best = library_best(job, sampler, stop))
            subjects.push_back({.launch = best, .launches_per_sample = 1, .samples = {}});
    sampler.sample(subjects, options.seconds, stop);
    result.stage = kernels::timing_of(subjects[0].samples);
    if (subjects.size() > 1)
        result.cublas = kernels::timing_of(subjects[1].samples);
    if (subjects.size() > 2)
        result.cublas_best = kernels::timing_of(subjects[2].samples);
    result.stage.energy = energy(subjects[0].launch, result.stage.median_ms, job.problem, options, stop);
    return result;
}

kernels::Energy CudaBackend::energy(const std::function<void()>& launch, double ms, const recording::Problem& problem,
                                    const kernels::BenchOptions& options, const std::stop_token& stop) const
{
    if (options.energy_seconds <= 0)
        return {};
    if (problem.beta != 0)
        return {.missing = "Energy is measured with beta 0 only: each launch would change what the next one reads."};
    try {
        const Nvml nvml(listed_gpus(context_.driver()).at(context_.number()).uuid);
        const auto begun = std::chrono::steady_clock::now();
        return kernels::energy_of_launch(
            {.millijoules = [&] { return nvml.millijoules(); },
             .seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); },
             .launch =
                 [&](int launches) {
                     for (int i = 0; i < launches; ++i)
                         launch();
                     context_.synchronize("A kernel whose energy is measured");
                 },
             .check_stop =
                 [&] {
                     if (stop.stop_requested())
                         throw kernels::Cancelled();
                 }},
            ms, options.energy_seconds);
    } catch (const kernels::Unavailable& why) {
        return {.missing = why.what()};
    }
}

// Returns the operands on the device, in the precision's type, or all of them in FP64.
DeviceOperands CudaBackend::library_operands(kernels::Precision precision, const recording::Problem& problem,
                                             const kernels::Operands& operands) const
{
    if (!precision.fp64)
        return {context_, kernels::Operation::gemm, precision.type, problem, operands};
    const auto widened = [this](const std::vector<float>& values) {
        const std::vector<double> wide(values.begin(), values.end());
        Buffer buffer(context_, wide.size() * sizeof(double));
        context_.upload(buffer, wide.data(), buffer.bytes());
        return buffer;
    };
    DeviceOperands result;
    result.A = widened(operands.A);
    result.B = widened(operands.B);
    result.C = widened(operands.C);
    return result;
}

void CudaBackend::multiply_with_cublas(kernels::Precision precision, const recording::Problem& problem,
                                       const DeviceOperands& operands) const
{
    if (precision.fp64)
        cublas_->dgemm(kernels::Operation::gemm, problem, operands.A, operands.B, operands.C);
    else
        cublas_->gemm({precision.type, kernels::Operation::gemm}, problem, operands.A, operands.B, operands.C);
}

void CudaBackend::enter_cublas(const recording::Problem& problem, const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw kernels::Cancelled();
    context_.enter();
    if (!cublas())
        throw kernels::Unavailable(cublas_missing_);
    make_room(4 * kernels::shapes(kernels::Operation::gemm, problem).bytes());
}

kernels::LibraryRun CudaBackend::cublas(kernels::Precision precision, const recording::Problem& problem,
                                        const kernels::Operands& operands, const kernels::BenchOptions& options,
                                        std::stop_token stop)
{
    enter_cublas(problem, stop);
    const DeviceOperands on_device = library_operands(precision, problem, operands);
    const Buffer& C = on_device.C;
    Buffer initial(context_, C.bytes());
    context_.copy(initial, C);
    const auto multiply = [&] { multiply_with_cublas(precision, problem, on_device); };
    if (problem.beta == 0)
        context_.fill(C, 0xff); // all bits set is a NaN
    multiply();
    context_.synchronize("cuBLAS");
    kernels::LibraryRun result{.C = std::vector<double>(operands.C.size()), .rows = problem.M};
    if (precision.fp64) {
        context_.download(result.C.data(), C, C.bytes());
    } else {
        std::vector<float> output(operands.C.size());
        context_.download(output.data(), C, C.bytes());
        result.C.assign(output.begin(), output.end());
    }
    std::vector<Subject> subjects{{.launch = multiply, .launches_per_sample = 1, .samples = {}}};
    Sampler(context_, C, problem.beta != 0 ? &initial : nullptr).sample(subjects, options.seconds, stop);
    result.timing = kernels::timing_of(subjects[0].samples);
    result.timing.energy = energy(multiply, result.timing.median_ms, problem, options, stop);
    return result;
}

recording::GpuProperties CudaBackend::gpu() const
{
    context_.enter();
    recording::GpuProperties result = properties_of(context_);
    result.toolkit = device_.toolkit;
    return result;
}

std::vector<std::string> CudaBackend::gpu_steps()
{
    context_.enter();
    if (!microbenchmarks_)
        microbenchmarks_.emplace(context_, compiler_);
    return microbenchmarks_->steps();
}

void CudaBackend::measure_gpu(std::size_t step, recording::GpuMeasurement& result, std::stop_token stop)
{
    gpu_steps(); // creates the steps
    inputs_.reset();
    microbenchmarks_->run(step, result, stop);
    result.name = device_.name;
    result.toolkit = device_.toolkit;
    result.measured_at = recording::utc_now();
}

} // namespace cuda
