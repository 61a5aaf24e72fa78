// A backend that several threads use in turns. Each call waits for its turn and is repeated if a later lane interrupted
// it. A task therefore need not know about tasks that run in parallel.
#pragma once

#include "app/engine/device_scheduler.h"

#include "backend.h"

#include <functional>
#include <memory>

namespace app {

// State of one backend call. It waits for its turn and then is inside, which is reported again with each sign of life
// of the backend. After it returned it still holds its turn and may wait for another one. Finally it is over.
enum class TurnState { waiting, inside, returned, over };

// Creates the backend for the tasks of one lane. `backend` and `turns` must outlive it. `told` is called by the calling
// thread and by the threads of a backend that gives signs of life.
std::unique_ptr<kernels::Backend> shared_backend(
    kernels::Backend& backend, DeviceScheduler& turns, Lane lane,
    std::function<void(TurnState)> told = [](TurnState) {});

} // namespace app
