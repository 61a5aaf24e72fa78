// Where stages run: the backend, made on a thread of its own because finding a GPU can take seconds.
#pragma once

#include "app/session/gate.h"

#include "backend.h"

#include <functional>
#include <future>
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

struct Machine {
    std::shared_ptr<kernels::Backend> backend;          // null when not even the CPU's could be made
    std::string why_no_gpu;                             // a sentence; empty on a GPU
    std::string error;                                  // a sentence, when backend is null
    bool cpu_wanted = false;                            // the CPU was asked for
    std::optional<recording::GpuProperties> properties; // of the GPU
    std::shared_ptr<Gate> gate = std::make_shared<Gate>();
    bool gpu() const { return backend != nullptr && why_no_gpu.empty(); }
};

// The GPU's backend, or the CPU's with the reason. `wanted` "cpu" does not look for a GPU. Never throws.
Machine open_machine(const BackendFactories& factories, const std::optional<std::string>& wanted);

// Why the stage cannot run there with whatever parameters, as a sentence; empty when it can, or when nothing can.
std::string why_not_on(const Machine& machine, const kernels::Stage& stage);

// Compiles what the jobs need several at once, inside the gate. What does not compile is told by the call that needs it,
// so that one broken kernel holds up no other: throws nothing but Cancelled.
void prepare(const Machine& machine, std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
             std::stop_token stop);

using FutureMachine = std::shared_future<Machine>;

} // namespace app
