// What the driver of the program at hand says of a GPU and of a kernel.
#pragma once

#include "injection/injected/sanitizer_api.h"
#include "injection/request.h"

#include <string>

namespace injection {

// device, compute_capability, sms, threads_per_sm, clock_khz, driver. Fields that the driver does not tell are absent.
Fields gpu_facts(int device);
Fields current_gpu_facts(); // of the calling thread's context

// registers, local_bytes, of a CUfunction.
Fields kernel_facts(Handle function);

} // namespace injection
