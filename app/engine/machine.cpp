#include "app/engine/machine.h"

#include "app/engine/context.h"

namespace app {

namespace {

std::optional<recording::GpuProperties> properties_of(const kernels::Backend& backend)
{
    try {
        return backend.gpu();
    } catch (const std::exception&) { // stages run without these properties
        return std::nullopt;
    }
}

// Chooses the GPU. Without a request it uses the first GPU even if the list could not be read.
void choose_gpu(const BackendFactories& factories, const std::string& wanted, MachineFacts& machine)
{
    try {
        machine.gpus = factories.gpus();
        machine.used_gpu = kernels::find_gpu(machine.gpus, wanted);
    } catch (const std::exception&) {
        if (!wanted.empty())
            throw;
    }
    if (!wanted.empty())
        machine.chosen_gpu = machine.used_gpu.uuid;
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
            choose_gpu(factories, wanted.gpu, machine);
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

std::string why_not_on(const MachineFacts& machine, const kernels::Stage& stage)
{
    return machine.device ? kernels::missing_on(*machine.device, stage) : "";
}

void prepare(kernels::Backend& backend, std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
             std::stop_token stop)
{
    why_it_failed([&] { backend.prepare(jobs, probes, stop); }); // the call that needs a kernel reports its error
}

} // namespace app
