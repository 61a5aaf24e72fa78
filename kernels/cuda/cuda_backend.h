// The backend that runs stages on an NVIDIA GPU. Internal to kernels/cuda.
#pragma once

#include "backend.h"
#include "cuda/compiler.h"
#include "cuda/cublas.h"
#include "cuda/instruments.h"
#include "cuda/microbenchmarks.h"
#include "cuda/sampler.h"
#include "cuda/tensor_map.h"
#include "processor.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cuda {

using kernels::Types;

class SassMetrics; // incomplete if CUPTI's headers are missing

// A job's matrices in device memory.
struct DeviceOperands {
    DeviceOperands() = default;
    // Throws kernels::Error if they do not fit in the GPU's free memory.
    DeviceOperands(const Context& context, kernels::Operation operation, const Types& types,
                   const recording::Problem& problem, const kernels::Operands& operands);
    DeviceOperands(const Context& context, const kernels::Job& job, const kernels::Operands& operands);

    // Makes the workspace large enough for the job and fills it with one bits, so that unwritten elements are NaN.
    // Throws kernels::Error if it does not fit.
    void fit_workspace(const Context& context, const kernels::Job& job);

    // Returns the current C on the device.
    std::vector<float> result(const Context& context) const;
    // Restores the initial C.
    void restore_c(const Context& context, const kernels::Operands& operands) const;

    Types types = type_fp32;
    Buffer A, B, C;   // in `types`
    Buffer workspace; // used by the stage's second launch
};

// The kernels that a stage launches in order: one or two.
using Kernels = std::vector<const Kernel*>;

inline constexpr std::array<std::byte, 1> no_probe{}; // NoProbe has no members

// A job's launches, prepared so that the host does little for each of them. The host's overhead then does not distort
// the time of short kernels.
struct Launches {
    std::vector<std::byte> arguments;
    std::array<recording::Launch, 2> extents; // the second has no blocks if there is no second launch

    void queue(const Kernels& kernels,
               const std::array<std::span<const std::byte>, 2>& probes = {no_probe, no_probe}) const;
};

// Data that the benchmarks of one problem share. It is kept, because computing it takes longer than timing.
struct BenchInputs {
    kernels::Operation operation;
    recording::Problem problem;
    kernels::Operands original; // FP32
    std::vector<double> exact;  // the exact result
    Types types;
    std::vector<double> rounded; // the exact result for operands rounded to their type; empty for FP32
    DeviceOperands on_device;
    std::function<void()> library_best = {}; // the library's fastest algorithm, once it has been determined

    const std::vector<double>& expected() const { return types.ab == type_fp32 ? exact : rounded; }
};

class CudaBackend final : public kernels::Backend, public kernels::GivesSigns {
public:
    // Throws kernels::Unavailable.
    explicit CudaBackend(int gpu); // takes CUDA's device number
    ~CudaBackend() override;

    const recording::Device& device() const override { return device_; }
    bool lost() const override { return context_.lost(); }
    // `sign` is called while a kernel is being compiled.
    void give_signs(std::function<void()> sign) override { compiler_.give_signs(std::move(sign)); }
    void run(const kernels::Job& job, kernels::ProbeKind probe, kernels::Operands& operands,
             std::stop_token stop) override;
    recording::Recording record(const kernels::Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override;
    kernels::Counters counters(const kernels::Job& job, std::stop_token stop) override;
    kernels::InstructionCounters instruction_counters(const kernels::Job& job, std::stop_token stop) override;
    recording::WarpTimes warp_times(const kernels::Job& job, const kernels::WatchedWarps& watched,
                                    std::stop_token stop) override;
    kernels::WarpSamples warp_samples(const kernels::Job& job, std::stop_token stop) override;
    kernels::BenchResult bench(const kernels::Job& job, const kernels::BenchOptions& options,
                               std::stop_token stop) override;
    kernels::LibraryRun cublas(kernels::Precision precision, const recording::Problem& problem,
                               const kernels::Operands& operands, const kernels::BenchOptions& options,
                               std::stop_token stop) override;
    std::vector<recording::LaunchedKernel> cublas_kernels(kernels::Precision precision,
                                                          const recording::Problem& problem,
                                                          std::stop_token stop) override;
    kernels::Counters cublas_counters(kernels::Precision precision, const recording::Problem& problem,
                                      std::stop_token stop) override;
    std::vector<double> reference(const kernels::Job& job, const kernels::Operands& operands,
                                  std::stop_token stop) override;
    void prepare(std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
                 std::stop_token stop) override;
    recording::GpuProperties gpu() const override;
    std::vector<std::string> gpu_steps() override;
    void measure_gpu(std::size_t step, recording::GpuMeasurement& result, std::stop_token stop) override;

private:
    // Checks what can be checked before any allocation, and makes the context current.
    recording::Launch begin(const kernels::Job& job, const std::stop_token& stop) const;

    // Compiles and loads the kernels on first use, then keeps them.
    Kernels loaded(const kernels::Job& job, kernels::ProbeKind probe);
    const Kernel& keep(const KernelName& name, const Compiled& compiled);

    // Returns the tensor maps of A and B for a stage that makes bulk copies; otherwise none.
    std::vector<TensorMap> tensor_maps(const kernels::Job& job, const DeviceOperands& operands) const;

    Launches launches(const kernels::Job& job, const DeviceOperands& operands) const;
    // Queues the stage's launches; `probes` has the bytes of each launch's probe.
    void launch(const kernels::Job& job, const Kernels& queued, const DeviceOperands& operands,
                const std::array<std::span<const std::byte>, 2>& probes) const;
    void launch_plain(const kernels::Job& job, const Kernels& queued, const DeviceOperands& operands) const;
    Counter count(const kernels::Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen);
    Recorder trace(const kernels::Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen,
                   std::vector<uint32_t> steps);
    // Sets Recording::placements and Recording::placed: alternately launches the kernel with PlaceProbe and without.
    void place(const kernels::Job& job, const DeviceOperands& operands, recording::Recording& result,
               const std::stop_token& stop);

    BenchInputs& inputs(const kernels::Job& job, std::stop_token stop);
    // Frees cached benchmark data if the GPU has less free memory than this.
    void make_room(uint64_t bytes);
    // Initializes cuBLAS, with room for the operands. Throws kernels::Unavailable if there is no cuBLAS.
    void enter_cublas(const recording::Problem& problem, const std::stop_token& stop);
    void checked_run(const kernels::Job& job, const BenchInputs& inputs, kernels::BenchResult& result);

    DeviceOperands library_operands(kernels::Precision precision, const recording::Problem& problem,
                                    const kernels::Operands& operands) const;
    // Queues the multiplication; cuBLAS must be available.
    void multiply_with_cublas(kernels::Precision precision, const recording::Problem& problem,
                              const DeviceOperands& operands) const;

    // Returns the energy of one launch, whose measured time is `ms`. The result is empty if energy was not requested.
    kernels::Energy energy(const std::function<void()>& launch, double ms, const recording::Problem& problem,
                           const kernels::BenchOptions& options, const std::stop_token& stop) const;

    // Returns null if there is no cuBLAS; cublas_missing_ then has the reason.
    const Cublas* cublas();
    // Returns the library's fastest algorithm, after timing each briefly; null if it offers none or is missing.
    const std::function<void()>& library_best(const kernels::Job& job, const Sampler& sampler, std::stop_token stop);

    Context context_;
    Compiler compiler_;
    recording::Device device_;
    std::map<std::string, Kernel> kernels_;          // by KernelName::key()
    std::optional<Microbenchmarks> microbenchmarks_; // created when the GPU is first measured
    std::shared_ptr<SassMetrics> sass_metrics_;      // created when instructions are first counted
    std::optional<BenchInputs> inputs_;              // inputs of the last benchmark
    std::unique_ptr<Cublas> cublas_;
    std::string cublas_missing_;
    std::unique_ptr<CublasLt> cublas_lt_; // created on first use
};

} // namespace cuda
