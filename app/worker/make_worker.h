// The worker that the user chose.
#pragma once

#include "app/worker/steady_now.h"
#include "app/worker/worker.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct WorkerChoice {
    std::string command;              // shell command; empty: this program
    std::string gpu;                  // the GPU to use, see kernels::find_gpu; empty: the first
    bool in_process = false;          // run tasks in this process, so that a task's crash ends this process
    bool users_apart = false;         // with in_process: still run users' kernels in a process of their own
    std::optional<double> time_limit; // seconds beyond the expected time; absent: 20, and 5 for a user's kernel
    BackendFactories factories;       // backends of a worker in this process
    SteadyNow now = std::chrono::steady_clock::now;                  // clock of all time limits of a worker process
    std::vector<std::string> program = {"/proc/self/exe", "worker"}; // command that starts this program as a worker
};

std::unique_ptr<Worker> make_worker(const std::vector<kernels::Stage>& ladder, const WorkerChoice& choice,
                                    const std::optional<std::string>& backend, std::function<void()> wake);

} // namespace app
