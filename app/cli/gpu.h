// What this machine's GPU is made of: gemmscope info without a recording.
#pragma once

#include "app/cli/output.h"
#include "app/worker/make_worker.h"

namespace app {

// Of the worker's machine; `measured`: with small kernels, and kept for the window. Throws kernels::Unavailable without a GPU.
int show_gpu(const WorkerChoice& worker, Form form, bool measured);

} // namespace app
