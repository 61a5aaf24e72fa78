// Interface for running tasks, in this process (LocalWorker) or in another process on this or another machine
// (ProcessWorker).
#pragma once

#include "app/tasks/task.h"
#include "app/worker/lane.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace app {

using MachinePtr = std::shared_ptr<const MachineFacts>;

class Worker {
public:
    virtual ~Worker() = default;

    // Returns the machine that runs the tasks, or null during the search for it. Returns another object after the
    // machine has changed. Its `error` is set if there is no machine, which may change later.
    virtual MachinePtr machine() const = 0;

    // Runs the task and waits for its end. Several threads may call it. Throws what the task throws, and kernels::Error
    // with a sentence if the worker could not run it.
    virtual Result run(const Task& task, Lane lane, std::stop_token stop,
                       const std::function<void(const Progress&)>& progress) = 0;

    // Discards all work. Where possible, this and every later run() throws kernels::Cancelled at once.
    virtual void close() {}

    // Returns sentences about the worker itself for the user, since the last call; otherwise empty.
    virtual std::string take_notice() { return {}; }
};

} // namespace app
