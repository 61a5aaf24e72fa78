// Who runs tasks: in this process (LocalWorker) or in another one, here or elsewhere (ProcessWorker).
#pragma once

#include "app/tasks/task.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace app {

// Each lane runs its tasks one after another beside the other lanes. The last four use the device; of them a later one
// interrupts an earlier one, whose call is then made again.
enum class Lane : uint8_t {
    files,     // on this machine, whoever the worker is
    code,      // minutes of a CPU
    ladder,    // times, again and again
    search,    // for parameters, or of what the GPU is made of: minutes, in many steps
    counters,  // asked for by a key: seconds
    recording, // without it there is nothing to see; never interrupted
};
inline constexpr std::size_t lane_count = 6;

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
