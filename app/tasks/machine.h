// Where stages run: the backend, and what is known of it without it.
#pragma once

#include "backend.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

// How backends are made; tests give their own.
struct BackendFactories {
    std::function<std::unique_ptr<kernels::Backend>(int)> cuda = kernels::make_cuda_backend;
    std::function<std::vector<kernels::ListedGpu>()> gpus = kernels::list_gpus;
    std::function<std::unique_ptr<kernels::Backend>()> cpu = kernels::make_cpu_backend;
};

// What a person asked for.
struct WantedDevice {
    std::optional<std::string> backend = {}; // "cuda", "cpu"; default: the best there is
    std::string gpu = {};                    // see kernels::find_gpu; then nothing else will do
};

struct MachineFacts {
    std::optional<recording::Device> device;            // none when not even the CPU's backend could be made
    std::string why_no_gpu;                             // a sentence; empty on a GPU
    std::string error;                                  // a sentence, when there is no device
    bool cpu_wanted = false;                            // the CPU was asked for
    std::optional<recording::GpuProperties> properties; // of the GPU
    std::vector<kernels::ListedGpu> gpus;               // all that the machine has; empty where none was looked for
    kernels::ListedGpu used_gpu;                        // the one of them that is used
    std::string chosen_gpu;                             // its UUID, where a person chose it
    bool gpu() const { return device && why_no_gpu.empty(); }
};

struct Machine : MachineFacts {
    std::shared_ptr<kernels::Backend> backend; // null when not even the CPU's could be made
};

// The GPU's backend, or the CPU's with the reason. Who wants "cpu" does not look for a GPU. Never throws. Finding a GPU can
// take seconds.
Machine open_machine(const BackendFactories& factories, const WantedDevice& wanted);

// Why the stage cannot run there with whatever parameters, as a sentence; empty when it can, or when nothing can.
std::string why_not_on(const MachineFacts& machine, const kernels::Stage& stage);

// All forms of a kernel that recording it takes.
inline constexpr std::array recorded_forms = {kernels::ProbeKind::none, kernels::ProbeKind::count,
                                              kernels::ProbeKind::record, kernels::ProbeKind::place};

// Compiles what the jobs need several at once. What does not compile is told by the call that needs it, so that one broken
// kernel holds up no other: throws nothing but Cancelled.
void prepare(kernels::Backend& backend, std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
             std::stop_token stop);

} // namespace app
