#include "app/session/machine.h"

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

Machine open_machine(const BackendFactories& factories, const std::optional<std::string>& wanted)
{
    Machine machine;
    if (wanted == "cpu") {
        machine.cpu_wanted = true;
        machine.why_no_gpu = "The CPU was asked for, so no GPU was looked for.";
    } else {
        try {
            machine.backend = factories.cuda();
            machine.properties = properties_of(*machine.backend);
            return machine;
        } catch (const std::exception& error) {
            machine.why_no_gpu = error.what();
            if (wanted == "cuda") {
                machine.error = error.what();
                return machine;
            }
        }
    }
    try {
        machine.backend = factories.cpu();
    } catch (const std::exception& error) {
        machine.error = error.what();
    }
    return machine;
}

std::string why_not_on(const Machine& machine, const kernels::Stage& stage)
{
    return machine.backend == nullptr ? "" : kernels::missing_on(machine.backend->device(), stage);
}

void prepare(const Machine& machine, std::span<const kernels::Job> jobs, std::span<const kernels::ProbeKind> probes,
             std::stop_token stop)
{
    try {
        machine.backend->prepare(jobs, probes, stop);
    } catch (const kernels::Cancelled&) {
        throw;
    } catch (const std::exception&) { // comes again, with the same words, from the call that needs the kernel
    }
}

} // namespace app
