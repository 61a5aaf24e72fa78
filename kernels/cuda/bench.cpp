// Measuring: the stage and cuBLAS sample by sample in turn, so that clocks and temperature are the same for both.
#include "cuda/cuda_backend.h"
#include "element_type.h"
#include "engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

namespace cuda {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int least_samples = 5;
constexpr int most_samples = 2000;
constexpr double warm_up_share = 0.2;   // of the budget: an idle GPU needs a while to reach its clocks
constexpr double least_sample_ms = 0.2; // shorter launches are measured several at a time: events tick at 0.5 us

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// One of the two that are timed.
struct Subject {
    std::function<void()> launch;
    int launches_per_sample = 1;
    std::vector<double> samples; // milliseconds per launch
};

// What all samples of a bench share.
class Sampler {
public:
    // `initial`: what C is set to before each sample; null where C is not read.
    Sampler(const Context& context, const Buffer& C, const Buffer* initial)
        : context_(context), C_(C), initial_(initial), start_(context), end_(context)
    {
    }

    double milliseconds_per_launch(const Subject& subject) const
    {
        if (initial_)
            context_.copy(C_, *initial_);
        start_.record();
        for (int i = 0; i < subject.launches_per_sample; ++i)
            subject.launch();
        end_.record();
        context_.synchronize("A timed kernel");
        return end_.milliseconds_since(start_) / subject.launches_per_sample;
    }

    void warm_up(std::vector<Subject>& subjects, double seconds, const std::stop_token& stop) const
    {
        const Clock::time_point start = Clock::now();
        std::vector<double> last(subjects.size());
        do {
            for (std::size_t i = 0; i < subjects.size(); ++i)
                last[i] = milliseconds_per_launch(subjects[i]);
            if (stop.stop_requested())
                throw kernels::Cancelled();
        } while (seconds_since(start) < seconds);
        if (initial_)
            return; // C is read: each launch needs it restored, so there is one per sample
        for (std::size_t i = 0; i < subjects.size(); ++i)
            subjects[i].launches_per_sample =
                static_cast<int>(std::clamp(std::ceil(least_sample_ms / std::max(last[i], 1e-6)), 1.0, 100.0));
    }

private:
    const Context& context_;
    const Buffer& C_;
    const Buffer* initial_;
    Event start_, end_;
};

kernels::Timing timing(std::vector<double> samples)
{
    std::sort(samples.begin(), samples.end());
    const std::size_t count = samples.size();
    if (count == 0)
        return {};
    return {.median_ms = samples[count / 2],
            .low_ms = samples[count / 4],
            .high_ms = samples[count * 3 / 4],
            .samples = static_cast<int>(count)};
}

} // namespace

const BenchInputs& CudaBackend::inputs(const kernels::Job& job, std::stop_token stop)
{
    const kernels::Operation operation = job.stage->operation;
    const Type type = kernels::type_of(job);
    const bool same = inputs_ && inputs_->operation == operation && inputs_->problem == job.problem;
    if (same && inputs_->type == type)
        return *inputs_;
    std::optional<BenchInputs> last = std::exchange(inputs_, std::nullopt);
    BenchInputs next{.operation = operation, .problem = job.problem, .type = type};
    if (same) {
        next.original = std::move(last->original);
        next.exact = std::move(last->exact);
    }
    last.reset(); // first, so that both need not fit the GPU
    if (!same) {
        next.original = kernels::random_operands(operation, job.problem, kernels::recording_seed);
        next.exact = reference(job, next.original, stop);
    }
    if (type != type_fp32) {
        kernels::Operands operands = next.original;
        kernels::round_all(operands.A, type);
        kernels::round_all(operands.B, type);
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

// The errors of one run on poisoned output, as in kernels::verify.
void CudaBackend::checked_run(const kernels::Job& job, const BenchInputs& inputs, kernels::BenchResult& result)
{
    const Buffer& C = inputs.on_device.C;
    if (job.problem.beta == 0 || !kernels::facts(job.stage->operation).is_scaled)
        context_.fill(C, 0xff); // a float of ones is a NaN
    else
        context_.upload(C, inputs.original.C.data(), C.bytes());
    launch_plain(job, kernel(job, kernels::ProbeKind::none), inputs.on_device);
    context_.synchronize("The kernel " + std::string(job.stage->slug));
    std::vector<float> output(inputs.original.C.size());
    context_.download(output.data(), C, C.bytes());
    result.relative_error = kernels::relative_error(output, inputs.expected());
    result.total_error =
        inputs.type == type_fp32 ? result.relative_error : kernels::relative_error(output, inputs.exact);
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
        context_.upload(initial, inputs.original.C.data(), initial.bytes());
    }
    std::vector<Subject> subjects;
    const Kernel& plain = kernel(job, kernels::ProbeKind::none);
    subjects.push_back(
        {.launch = [&] { launch_plain(job, plain, on_device); }, .launches_per_sample = 1, .samples = {}});
    if (operation.no_cublas.empty() && cublas())
        subjects.push_back(
            {.launch = [&] { cublas_->gemm(inputs.type, job.problem, on_device.A, on_device.B, on_device.C); },
             .launches_per_sample = 1,
             .samples = {}});
    else
        result.cublas_missing = operation.no_cublas.empty() ? cublas_missing_ : operation.no_cublas;

    const Sampler sampler(context_, on_device.C, initial.bytes() > 0 ? &initial : nullptr);
    sampler.warm_up(subjects, options.seconds * warm_up_share, stop);
    const Clock::time_point start = Clock::now();
    for (int sample = 0; sample < most_samples; ++sample) {
        if (sample >= least_samples && seconds_since(start) > options.seconds)
            break;
        for (Subject& subject : subjects)
            subject.samples.push_back(sampler.milliseconds_per_launch(subject));
        if (stop.stop_requested())
            throw kernels::Cancelled();
    }
    result.stage = timing(subjects[0].samples);
    if (subjects.size() > 1)
        result.cublas = timing(subjects[1].samples);
    return result;
}

} // namespace cuda
