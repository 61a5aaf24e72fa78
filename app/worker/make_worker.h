// Which worker a person has chosen.
#pragma once

#include "app/worker/worker.h"

#include <chrono>
#include <string>
#include <vector>

namespace app {

struct WorkerChoice {
    std::string command;        // of a shell; empty: this program itself
    bool in_process = false;    // no other process; what brings it down brings this one down
    double time_limit = 20;     // seconds beyond what is expected
    BackendFactories factories; // of a worker in this process
};

std::unique_ptr<Worker> make_worker(const std::vector<kernels::Stage>& ladder, const WorkerChoice& choice,
                                    const std::optional<std::string>& backend, std::function<void()> wake);

} // namespace app
