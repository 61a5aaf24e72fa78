// What a task is called in a sentence, and how long it may be expected to take.
#pragma once

#include "app/tasks/task.h"

#include <chrono>
#include <cstddef>
#include <string>

namespace app {

std::string name_of(const Task& task); // "recording vectorized at 128x128x128"

// What runs or compiles a kernel that a user wrote, and so may do anything. Its file is on this machine, and so is who runs it.
bool is_of_user(const Task& task);

// How long a call into the backend, or the whole of a task without one, takes at most where nothing is wrong. For a limit, not for a promise.
std::chrono::seconds expected(const Task& task, const MachineFacts& machine);

// How many bytes the result of a task may have. `place`: of the task among all tasks, or of its result among all results.
std::size_t largest_result(std::size_t place);

} // namespace app
