// The workers of a session: the chosen one, and the one that runs users' kernels.
#pragma once

#include "app/engine/worker.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace app {

// A worker and a GPU of its machine. Empty: this program and the first GPU.
struct WorkerAt {
    std::string command, gpu;
    friend bool operator==(const WorkerAt&, const WorkerAt&) = default;
};

// Returns the key that identifies the speeds of a device, so that they can be restored when it is chosen again.
std::string speeds_key(const WorkerAt& at, const MachineFacts& machine);

class SessionWorkers {
public:
    // `ladder` must outlive this object. `wake` is called from other threads when there is something to take.
    SessionWorkers(const std::vector<kernels::Stage>& ladder, WorkerChoice worker, std::optional<std::string> backend,
                   std::function<void()> wake);
    SessionWorkers(const SessionWorkers&) = delete;
    SessionWorkers& operator=(const SessionWorkers&) = delete;
    void close(); // discards the workers' tasks

    // Runs the task. Call it on a lane's thread.
    Result run(const Task& task, Lane lane, std::stop_token stop, const std::function<void(const Progress&)>& progress);

    // Returns the chosen worker.
    WorkerAt at() const { return {choice_.command, choice_.gpu}; }
    MachinePtr machine() const { return worker_->machine(); }
    void use(const WorkerAt& at);

    std::string take_notice(); // notice of either worker

private:
    std::shared_ptr<Worker> worker_for(const Task& task);
    void retire(std::shared_ptr<void> old);

    const std::vector<kernels::Stage>& ladder_;
    WorkerChoice choice_;
    const std::optional<std::string> backend_;
    const std::function<void()> wake_;
    std::mutex mutex_; // the lanes' threads read worker_ and tracer_
    std::shared_ptr<Worker> worker_;
    // Runs users' kernels on this machine, where their files are. Null until the first one.
    std::shared_ptr<Worker> tracer_;
    std::vector<std::jthread> retiring_; // old workers, which may take a while to end
};

} // namespace app
