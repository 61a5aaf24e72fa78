// The machine on which stages run: its backend, and the facts about it that are plain values.
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

// Functions that create backends. Tests replace them.
struct BackendFactories {
    std::function<std::unique_ptr<kernels::Backend>(int)> cuda = kernels::make_cuda_backend;
    std::function<std::vector<kernels::ListedGpu>()> gpus = kernels::list_gpus;
    std::function<std::unique_ptr<kernels::Backend>()> cpu = kernels::make_cpu_backend;
};

// The device that the user requested.
struct WantedDevice {
    std::optional<std::string> backend = {}; // "cuda" or "cpu"; default: the best available
    std::string gpu = {};                    // see kernels::find_gpu; if set, no other GPU is used
};

struct MachineFacts {
    std::optional<recording::Device> device;            // empty if not even the CPU backend could be created
    std::string why_no_gpu;                             // sentence; empty on a GPU
    std::string error;                                  // sentence; empty if there is a device
    bool cpu_wanted = false;                            // the user requested the CPU
    std::optional<recording::GpuProperties> properties; // properties of the GPU
    std::vector<kernels::ListedGpu> gpus;               // all GPUs of the machine; empty if it was not searched
    kernels::ListedGpu used_gpu;                        // the GPU that is used
    std::string chosen_gpu;                             // UUID of the GPU if the user chose it
    bool gpu() const { return device && why_no_gpu.empty(); }
};

struct Machine : MachineFacts {
    std::shared_ptr<kernels::Backend> backend; // null if not even the CPU backend could be created
};

// Opens the GPU's backend, or the CPU's backend with the reason why. Does not search for a GPU if `wanted` is "cpu".
// Never throws. Finding a GPU can take seconds.
Machine open_machine(const BackendFactories& factories, const WantedDevice& wanted);

// Returns a sentence that says why the stage cannot run on the machine with any parameters. Empty if it can run, or if
// the machine cannot run anything.
std::string why_not_on(const MachineFacts& machine, const kernels::Stage& stage);

// All forms of a kernel that a recording needs.
inline constexpr std::array recorded_forms = {kernels::ProbeKind::none, kernels::ProbeKind::count,
                                              kernels::ProbeKind::record, kernels::ProbeKind::place};

// Compiles what the jobs need, several kernels at once. Does not report compile errors, so that one broken kernel does
// not block the others: the call that needs the kernel reports them. Throws nothing but Cancelled.
void prepare(kernels::Backend& backend, std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
             std::stop_token stop);

} // namespace app
