// A backend that several threads use by turns: each call waits for its turn, and is made again where a later lane
// interrupted it. So a task needs not know that others run beside it.
#pragma once

#include "app/worker/turns.h"

#include "backend.h"

#include <functional>
#include <memory>

namespace app {

// Of one call into the backend: it waits for its turn, is inside (told again with each sign of life that the backend gives), has
// returned (still in its turn, and perhaps to wait for another), and is over.
enum class TurnState { waiting, inside, returned, over };

// For the tasks of one lane. `backend` and `turns` outlive it. `told` is called by the thread that makes the call, and by those
// of a backend that gives signs.
std::unique_ptr<kernels::Backend> shared_backend(
    kernels::Backend& backend, Turns& turns, Lane lane, std::function<void(TurnState)> told = [](TurnState) {});

} // namespace app
