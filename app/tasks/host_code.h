// Whether a task may run the host code of the text that it brings along. Who hands a task over says so in it; who carries it
// out, mostly another process, compiles and runs no host code of it otherwise. A kernel needs no such leave: it runs in the
// PTX machine or on a GPU.
#pragma once

#include "app/tasks/task.h"

#include "own/own_stage.h"

#include <filesystem>
#include <functional>
#include <string>

namespace app {

inline kernels::HostCode host_code(bool allowed)
{
    return allowed ? kernels::HostCode::allowed : kernels::HostCode::refused;
}

// Asked of the text of a stage file; `file` is where it lies, or empty where that is not known.
using MayRunHostCode = std::function<bool(const std::filesystem::path& file, const std::string& text)>;

// The task with the answer for each text in it, whatever it said before.
Task with_host_code(Task task, const MayRunHostCode& may_run);

} // namespace app
