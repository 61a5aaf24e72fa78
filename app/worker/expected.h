// What a task is called in a sentence, and how long it may be expected to take.
#pragma once

#include "app/tasks/task.h"

#include <chrono>
#include <string>

namespace app {

std::string name_of(const Task& task); // "recording vectorized at 128x128x128"

// How long a call into the backend, or the whole of a task without one, takes at most where nothing is wrong. For a limit, not for a promise.
std::chrono::seconds expected(const Task& task, const MachineFacts& machine);

} // namespace app
