// The backend that runs stages on an NVIDIA GPU. Internal to kernels/cuda.
#pragma once

#include "backend.h"
#include "cuda/compiler.h"
#include "cuda/cublas.h"
#include "cuda/instruments.h"

#include <map>
#include <memory>
#include <string>

namespace cuda {

// A job's matrices on the device.
struct DeviceOperands {
    // Throws kernels::Error when they do not fit the GPU's free memory.
    DeviceOperands(const Context& context, const kernels::Operands& operands);

    Buffer A, B, C;
};

class CudaBackend final : public kernels::Backend {
public:
    // Throws kernels::Unavailable.
    CudaBackend();
    ~CudaBackend() override;

    const recording::Device& device() const override { return device_; }
    void run(const kernels::Job& job, kernels::ProbeKind probe, kernels::Operands& operands,
             std::stop_token stop) override;
    recording::Recording record(const kernels::Job& job, std::span<const recording::Index3> blocks,
                                std::stop_token stop) override;
    kernels::BenchResult bench(const kernels::Job& job, const kernels::BenchOptions& options,
                               std::stop_token stop) override;
    std::vector<double> reference(const kernels::Job& job, const kernels::Operands& operands,
                                  std::stop_token stop) override;
    void prepare(std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
                 std::stop_token stop) override;

private:
    // Checks what can be checked before anything is allocated, and makes the context current.
    recording::Launch begin(const kernels::Job& job, const std::stop_token& stop) const;

    // Compiled and loaded on first use, then kept.
    const Kernel& kernel(const kernels::Job& job, kernels::ProbeKind probe);
    const Kernel& keep(const std::string& expression, const kernels::Job& job, const Compiled& compiled);

    // Queues one launch; `probe` is the probe's bytes.
    void launch(const kernels::Job& job, const Kernel& kernel, const DeviceOperands& operands,
                std::span<const std::byte> probe) const;
    void launch_plain(const kernels::Job& job, const Kernel& kernel, const DeviceOperands& operands) const;
    Counter count(const kernels::Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen);
    Recorder trace(const kernels::Job& job, const DeviceOperands& operands, const ChosenBlocks& chosen,
                   uint32_t capacity);

    double checked_run(const kernels::Job& job, const kernels::Operands& operands, const DeviceOperands& on_device,
                       std::stop_token stop);

    // Null when there is none; cublas_missing_ then says why.
    const Cublas* cublas();

    Context context_;
    Compiler compiler_;
    recording::Device device_;
    std::map<std::string, Kernel> kernels_; // by expression
    std::unique_ptr<Cublas> cublas_;
    std::string cublas_missing_;
};

} // namespace cuda
