// Who does a session's work: the worker that was chosen, and the one that runs users' kernels.
#pragma once

#include "app/worker/make_worker.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace app {

// Which worker, and which GPU of its machine; empty: this program, the first GPU.
struct WorkerAt {
    std::string command, gpu;
    friend bool operator==(const WorkerAt&, const WorkerAt&) = default;
};

// Under which a device's speeds are kept, for when it is chosen again.
std::string speeds_key(const WorkerAt& at, const MachineFacts& machine);

class SessionWorkers {
public:
    // `ladder` outlives it; `wake` is called from other threads when there is something to take.
    SessionWorkers(const std::vector<kernels::Stage>& ladder, WorkerChoice worker, std::optional<std::string> backend,
                   std::function<void()> wake);
    SessionWorkers(const SessionWorkers&) = delete;
    SessionWorkers& operator=(const SessionWorkers&) = delete;
    void close(); // nothing that they do is wanted any more

    // On a lane's thread.
    Result run(const Task& task, Lane lane, std::stop_token stop, const std::function<void(const Progress&)>& progress);

    // The one that was chosen.
    WorkerAt at() const { return {choice_.command, choice_.gpu}; }
    MachinePtr machine() const { return worker_->machine(); }
    void use(const WorkerAt& at);

    std::string take_notice(); // of either of them

private:
    std::shared_ptr<Worker> worker_for(const Task& task);
    void retire(std::shared_ptr<void> old);

    const std::vector<kernels::Stage>& ladder_;
    WorkerChoice choice_;
    const std::optional<std::string> backend_;
    const std::function<void()> wake_;
    std::mutex mutex_; // the lanes take worker_ and tracer_
    std::shared_ptr<Worker> worker_;
    std::shared_ptr<Worker> tracer_; // of users' kernels, on this machine as their files are; null until one is wanted
    std::vector<std::jthread> retiring_; // those before, which may take a while to end
};

} // namespace app
