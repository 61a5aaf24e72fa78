// The worker that the user chose.
#pragma once

#include "app/worker/steady_now.h"
#include "app/worker/worker.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct WorkerChoice {
    std::string command;                            // of a shell; empty: this program itself
    std::string gpu;                                // which of its GPUs, see kernels::find_gpu; empty: the first
    bool in_process = false;                        // no other process; what brings it down brings this one down
    bool users_apart = false;                       // but users' kernels have a process of their own all the same
    std::optional<double> time_limit;               // seconds beyond what is expected; none: 20, of a user's kernel 5
    BackendFactories factories;                     // of a worker in this process
    SteadyNow now = std::chrono::steady_clock::now; // the clock of all limits of a worker process
    std::vector<std::string> program = {"/proc/self/exe", "worker"};         // this program itself
    std::function<std::unique_ptr<Worker>(std::function<void()> wake)> make; // makes it instead of all of the above
};

std::unique_ptr<Worker> make_worker(const std::vector<kernels::Stage>& ladder, const WorkerChoice& choice,
                                    const std::optional<std::string>& backend, std::function<void()> wake);

} // namespace app
