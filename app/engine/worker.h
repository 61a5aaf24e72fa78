// The interface of a worker, which runs tasks, and the choice between its two implementations.
#pragma once

#include "app/engine/lane.h"
#include "app/engine/signs_of_life.h"
#include "app/engine/task.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

using MachinePtr = std::shared_ptr<const MachineFacts>;

// Interface for running tasks, in this process (LocalWorker) or in another process on this or another machine
// (ProcessWorker).
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

// The worker that the user chose.
struct WorkerChoice {
    std::string command;              // shell command that starts the worker; empty: `program` is started
    std::string gpu;                  // the worker's GPU, see kernels::find_gpu; empty: the first
    bool in_process = false;          // tasks run in this process, and a crash of a task ends it
    bool users_apart = false;         // despite `in_process`, users' kernels run in another process
    std::optional<double> time_limit; // seconds beyond the expected time; empty: 20, for a user's kernel 5
    BackendFactories factories;       // make the backends of a worker in this process
    SteadyNow now = std::chrono::steady_clock::now;                  // the clock of all time limits of a worker process
    std::vector<std::string> program = {"/proc/self/exe", "worker"}; // this program itself
    // Makes the worker if it is set. The other members are then ignored.
    std::function<std::unique_ptr<Worker>(std::function<void()> wake)> make;
};

std::unique_ptr<Worker> make_worker(const std::vector<kernels::Stage>& ladder, const WorkerChoice& choice,
                                    const std::optional<std::string>& backend, std::function<void()> wake);

} // namespace app
