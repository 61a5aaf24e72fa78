// Reads the properties of a GPU and of a kernel from the program's CUDA driver.
#pragma once

#include "injection/injected/sanitizer_api.h"
#include "injection/request.h"

#include <string>

namespace injection {

// Returns device, compute_capability, sms, threads_per_sm, clock_khz and driver. Fields that the driver does not report
// are absent.
Fields gpu_facts(int device);
Fields current_gpu_facts(); // for the calling thread's context

// Returns registers and local_bytes of a CUfunction.
Fields kernel_facts(Handle function);

} // namespace injection
