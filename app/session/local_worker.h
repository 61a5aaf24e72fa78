// Runs tasks in this process, on the machine that it finds; the calls into its backend take turns by the tasks' lanes.
#pragma once

#include "app/session/background.h"
#include "app/session/task_queue.h"
#include "app/session/turns.h"

#include <optional>
#include <string>

namespace app {

class LocalWorker {
public:
    // `found` is called, on another thread, when machine() is ready.
    LocalWorker(const std::vector<kernels::Stage>& ladder, BackendFactories factories,
                std::optional<std::string> wanted, std::function<void()> found);

    const MachineFacts* machine() const; // null while it is being looked for

    // For TaskQueue. Tasks that use the device wait for the machine.
    Result run(const Task& task, Lane lane, std::stop_token stop, const std::function<void(const Progress&)>& progress);

private:
    const std::vector<kernels::Stage>& ladder_;
    Turns turns_;
    Background<Machine> machine_;
};

} // namespace app
