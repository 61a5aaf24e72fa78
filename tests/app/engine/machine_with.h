// A machine with a backend of the test.
#pragma once

#include "app/engine/machine.h"

#include <memory>
#include <utility>

namespace test {

// The machine has a GPU unless the backend's device says otherwise.
inline app::Machine machine_with(std::shared_ptr<kernels::Backend> backend)
{
    app::Machine machine;
    machine.device = backend->device();
    if (machine.device->backend == "cpu")
        machine.why_no_gpu = "This runs on the CPU.";
    machine.backend = std::move(backend);
    return machine;
}

} // namespace test
