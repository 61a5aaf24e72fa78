// Who does a session's work: the worker that shows, those beside it, and the one that runs users' kernels.
#pragma once

#include "app/session/beside.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace app {

class SessionWorkers {
public:
    // `ladder` outlives it. Of the worker that shows; those beside it differ in their place alone.
    SessionWorkers(const std::vector<kernels::Stage>& ladder, WorkersOptions options);
    SessionWorkers(const SessionWorkers&) = delete;
    SessionWorkers& operator=(const SessionWorkers&) = delete;
    void close(); // nothing that they do is wanted any more

    // On a lane's thread.
    Result run(const Task& task, Lane lane, std::stop_token stop, const std::function<void(const Progress&)>& progress);

    // The one that shows.
    WorkerAt at() const { return options_.at(); }
    MachinePtr machine() const { return worker_->machine(); }
    void use(const WorkerAt& at);
    KeptSpeeds& kept_speeds() { return kept_; }

    // Those beside it.
    bool put_beside(const WorkerAt& at); // false: there are most_beside
    void leave_out(const WorkerAt& at);
    bool is_beside(const WorkerAt& at) const { return find(at) != nullptr; }
    void search_at(std::optional<WorkerAt> at) { searches_at_ = std::move(at); } // none: at the one that shows
    Beside* searching() const { return searches_at_ ? find(*searches_at_) : nullptr; }
    void follow(const Choice& choice);
    void leave_searches();
    std::vector<BesideState> states(const Choice& choice) const;
    const SearchState* search() const; // null: none to show

    bool poll(const Choice& choice); // whether something beside has changed
    std::string take_notice();       // of any of them

private:
    Beside* find(const WorkerAt& at) const;
    std::shared_ptr<Worker> worker_for(const Task& task);
    void retire(std::shared_ptr<void> old);

    const std::vector<kernels::Stage>& ladder_;
    WorkersOptions options_;
    KeptSpeeds kept_;
    std::optional<WorkerAt> searches_at_;
    std::mutex mutex_; // the lanes take worker_ and tracer_
    std::shared_ptr<Worker> worker_;
    std::shared_ptr<Worker> tracer_; // of users' kernels, on this machine as their files are; null until one is wanted
    std::vector<std::unique_ptr<Beside>> beside_;
    std::vector<std::jthread> retiring_; // those before, which may take a while to end
};

} // namespace app
