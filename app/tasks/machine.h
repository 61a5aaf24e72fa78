// Where stages run: the backend, and what is known of it without it.
#pragma once

#include "backend.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace app {

// How backends are made; tests give their own.
struct BackendFactories {
    std::function<std::unique_ptr<kernels::Backend>()> cuda = kernels::make_cuda_backend;
    std::function<std::unique_ptr<kernels::Backend>()> cpu = kernels::make_cpu_backend;
};

struct MachineFacts {
    std::optional<recording::Device> device;            // none when not even the CPU's backend could be made
    std::string why_no_gpu;                             // a sentence; empty on a GPU
    std::string error;                                  // a sentence, when there is no device
    bool cpu_wanted = false;                            // the CPU was asked for
    std::optional<recording::GpuProperties> properties; // of the GPU
    bool gpu() const { return device && why_no_gpu.empty(); }
};

struct Machine : MachineFacts {
    std::shared_ptr<kernels::Backend> backend; // null when not even the CPU's could be made
};

// The GPU's backend, or the CPU's with the reason. `wanted` "cpu" does not look for a GPU. Never throws. Finding a GPU can
// take seconds.
Machine open_machine(const BackendFactories& factories, const std::optional<std::string>& wanted);

// Of a backend that is open: a GPU's unless its device says otherwise.
Machine machine_with(std::shared_ptr<kernels::Backend> backend);

// Why the stage cannot run there with whatever parameters, as a sentence; empty when it can, or when nothing can.
std::string why_not_on(const MachineFacts& machine, const kernels::Stage& stage);

// Compiles what the jobs need several at once. What does not compile is told by the call that needs it, so that one broken
// kernel holds up no other: throws nothing but Cancelled.
void prepare(kernels::Backend& backend, std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
             std::stop_token stop);

} // namespace app
