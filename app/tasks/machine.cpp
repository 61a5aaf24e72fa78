#include "app/tasks/machine.h"

#include <utility>

namespace app {

namespace {

std::optional<recording::GpuProperties> properties_of(const kernels::Backend& backend)
{
    try {
        return backend.gpu();
    } catch (const std::exception&) { // stages run without
        return std::nullopt;
    }
}

} // namespace

Machine open_machine(const BackendFactories& factories, const WantedDevice& wanted)
{
    Machine machine;
    if (wanted.backend == "cpu") {
        machine.cpu_wanted = true;
        machine.why_no_gpu = "The CPU was asked for, so no GPU was looked for.";
    } else {
        try {
            machine.gpus = factories.gpus();
            machine.used_gpu = kernels::find_gpu(machine.gpus, wanted.gpu);
            if (!wanted.gpu.empty())
                machine.chosen_gpu = machine.used_gpu.uuid;
            machine.backend = factories.cuda(machine.used_gpu.number);
            machine.device = machine.backend->device();
            machine.properties = properties_of(*machine.backend);
            return machine;
        } catch (const std::exception& error) {
            machine.why_no_gpu = error.what();
            if (wanted.backend == "cuda" || !wanted.gpu.empty()) {
                machine.error = error.what();
                return machine;
            }
        }
    }
    try {
        machine.backend = factories.cpu();
        machine.device = machine.backend->device();
    } catch (const std::exception& error) {
        machine.error = error.what();
    }
    return machine;
}

Machine machine_with(std::shared_ptr<kernels::Backend> backend)
{
    Machine machine;
    machine.device = backend->device();
    if (machine.device->backend == "cpu")
        machine.why_no_gpu = "This runs on the CPU.";
    else
        machine.properties = properties_of(*backend);
    machine.backend = std::move(backend);
    return machine;
}

std::string why_not_on(const MachineFacts& machine, const kernels::Stage& stage)
{
    return machine.device ? kernels::missing_on(*machine.device, stage) : "";
}

void prepare(kernels::Backend& backend, std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
             std::stop_token stop)
{
    try {
        backend.prepare(jobs, probes, stop);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception&) { // comes again, with the same words, from the call that needs the kernel
    }
}

} // namespace app
