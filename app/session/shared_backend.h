// A backend that several threads use by turns: each call waits for its turn, and is made again where a later priority
// interrupted it. So a task needs not know that others run beside it.
#pragma once

#include "app/session/turns.h"

#include "backend.h"

#include <memory>

namespace app {

// For tasks of one priority. `backend` and `turns` outlive it.
std::unique_ptr<kernels::Backend> shared_backend(kernels::Backend& backend, Turns& turns, Priority priority);

} // namespace app
