// The backend that runs stages on an NVIDIA GPU. Internal to kernels/cuda.
#pragma once

#include "backend.h"
#include "cuda/compiler.h"
#include "cuda/cublas.h"
#include "cuda/cublas_lt.h"
#include "cuda/instruments.h"
#include "cuda/microbenchmarks.h"
#include "cuda/sampler.h"
#include "cuda/tensor_map.h"
#include "heartbeat.h"

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

class SassMetrics; // not known where CUPTI's headers are missing

// A job's matrices on the device.
struct DeviceOperands {
    DeviceOperands() = default;
    // Throws kernels::Error when they do not fit the GPU's free memory.
    DeviceOperands(const Context& context, kernels::Operation operation, const Types& types,
                   const recording::Problem& problem, const kernels::Operands& operands);
    DeviceOperands(const Context& context, const kernels::Job& job, const kernels::Operands& operands);

    // Makes the workspace as large as the job needs it, in ones: not a number wherever nothing is written. Throws likewise.
    void fit_workspace(const Context& context, const kernels::Job& job);

    // C as it is on the device now.
    std::vector<float> result(const Context& context) const;
    // Makes C what it was in the beginning.
    void restore_c(const Context& context, const kernels::Operands& operands) const;

    Types types = type_fp32;
    Buffer A, B, C;   // in those
    Buffer workspace; // for the stage's second launch
};

// What a stage launches, one after another: one kernel, or two.
using Kernels = std::vector<const Kernel*>;

inline constexpr std::array<std::byte, 1> no_probe{}; // NoProbe has no members

// A job's launches, ready to be queued again and again: what the host does for each is little, so that short kernels are not
// timed by it.
struct Launches {
    std::vector<std::byte> arguments;
    std::array<recording::Launch, 2> extents; // of no blocks where there is no second

    void queue(const Kernels& kernels,
               const std::array<std::span<const std::byte>, 2>& probes = {no_probe, no_probe}) const;
};

// What the benches of one problem share, kept from one to the next: making it takes longer than timing.
struct BenchInputs {
    kernels::Operation operation;
    recording::Problem problem;
    kernels::Operands original; // FP32
    std::vector<double> exact;  // what should come out of them
    Types types;
    std::vector<double> rounded; // the same of operands that were rounded to their type; empty for FP32
    DeviceOperands on_device;
    std::function<void()> library_best = {}; // of the library's ways to multiply them, once it was looked for

    const std::vector<double>& expected() const { return types.ab == type_fp32 ? exact : rounded; }
};

class CudaBackend final : public kernels::Backend, public kernels::GivesSigns {
public:
    // Throws kernels::Unavailable.
    explicit CudaBackend(int gpu); // its number
    ~CudaBackend() override;

    const recording::Device& device() const override { return device_; }
    bool lost() const override { return context_.lost(); }
    void give_signs(std::function<void()> sign) override { compiler_.give_signs(std::move(sign)); } // while it compiles
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
    // Checks what can be checked before anything is allocated, and makes the context current.
    recording::Launch begin(const kernels::Job& job, const std::stop_token& stop) const;

    // Compiled and loaded on first use, then kept.
    Kernels loaded(const kernels::Job& job, kernels::ProbeKind probe);
    const Kernel& keep(const KernelName& name, const Compiled& compiled);

    // Of A and B, for a stage that makes bulk copies; else none.
    std::vector<TensorMap> tensor_maps(const kernels::Job& job, const DeviceOperands& operands) const;

    Launches launches(const kernels::Job& job, const DeviceOperands& operands) const;
    // Queues the stage's launches; `probes`: the bytes of the probe of each.
    void launch(const kernels::Job& job, const Kernels& queued, const DeviceOperands& operands,
                const std::array<std::span<const std::byte>, 2>& probes) const;
    void launch_plain(const kernels::Job& job, const Kernels& queued, const DeviceOperands& operands) const;
    Counter count(const kernels::Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen);
    Recorder trace(const kernels::Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen,
                   std::vector<uint32_t> steps);
    // Sets placements and placed: launches the kernel with PlaceProbe and without it, in turns.
    void place(const kernels::Job& job, const DeviceOperands& operands, recording::Recording& result,
               const std::stop_token& stop);

    BenchInputs& inputs(const kernels::Job& job, std::stop_token stop);
    // Frees what benches have kept where the GPU has less than this free.
    void make_room(uint64_t bytes);
    // Makes ready for cuBLAS, with room for the operands. Throws kernels::Unavailable where there is none.
    void enter_cublas(const recording::Problem& problem, const std::stop_token& stop);
    void checked_run(const kernels::Job& job, const BenchInputs& inputs, kernels::BenchResult& result);

    DeviceOperands library_operands(kernels::Precision precision, const recording::Problem& problem,
                                    const kernels::Operands& operands) const;
    // Queued; there is a cuBLAS.
    void multiply_with_cublas(kernels::Precision precision, const recording::Problem& problem,
                              const DeviceOperands& operands) const;

    // Of one launch, which took `ms` when it was timed; nothing where it is not asked for.
    kernels::Energy energy(const std::function<void()>& launch, double ms, const recording::Problem& problem,
                           const kernels::BenchOptions& options, const std::stop_token& stop) const;

    // Null when there is none; cublas_missing_ then says why.
    const Cublas* cublas();
    // The fastest of the library's ways to multiply, each timed briefly; null where it offers none, or there is none.
    const std::function<void()>& library_best(const kernels::Job& job, const Sampler& sampler, std::stop_token stop);

    Context context_;
    Compiler compiler_;
    recording::Device device_;
    std::map<std::string, Kernel> kernels_;          // by KernelName::key()
    std::optional<Microbenchmarks> microbenchmarks_; // once the GPU was asked to be measured
    std::shared_ptr<SassMetrics> sass_metrics_;      // once instructions were counted
    std::optional<BenchInputs> inputs_;              // of the last bench
    std::unique_ptr<Cublas> cublas_;
    std::string cublas_missing_;
    std::unique_ptr<CublasLt> cublas_lt_; // once it was asked for
};

} // namespace cuda
