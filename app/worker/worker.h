// Who runs tasks: in this process (LocalWorker) or in another one, here or elsewhere (ProcessWorker).
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

    // Where its tasks run; null while that is being looked for. Another one when it has become another machine. With `error`
    // where there is none: that may change.
    virtual MachinePtr machine() const = 0;

    // Does the task and waits for its end; called from several threads. Throws as the task does, and kernels::Error in a
    // sentence where the worker could not do it.
    virtual Result run(const Task& task, Lane lane, std::stop_token stop,
                       const std::function<void(const Progress&)>& progress) = 0;

    // Nothing that it does is wanted any more: where that can be, run() throws kernels::Cancelled at once, here and from now on.
    virtual void close() {}

    // What a person should know of the worker itself since the last call, as sentences; else empty.
    virtual std::string take_notice() { return {}; }
};

} // namespace app
