// Who does a session's work: the worker that shows, those beside it, and the one that runs users' kernels.
#include "app/session/session.h"

#include "app/worker/expected.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <utility>

namespace app {

std::shared_ptr<Worker> Session::current_worker() const
{
    const std::lock_guard lock(worker_mutex_);
    return worker_;
}

// A user's kernel, or the compiler that it is given to, may bring down its process: not that of the others, and on this machine,
// where its file is.
std::shared_ptr<Worker> Session::worker_for(const Task& task)
{
    if (!is_of_user(task))
        return current_worker();
    const std::lock_guard lock(worker_mutex_);
    if (tracer_ == nullptr) {
        WorkerChoice choice = options_.worker;
        choice.command.clear();
        choice.gpu.clear();
        tracer_ = make_worker(*ladder_, choice, "cpu", options_.wake);
    }
    return tracer_;
}

// What was measured and made there.
void Session::forget_machine()
{
    const MachinePtr before = std::exchange(machine_, nullptr);
    if (before == nullptr)
        return;
    kept_speeds_[speeds_key(worker(), *before)] = measurements_.take();
    measured_jobs_.clear();
    recordings_.forget();
    details_.cancel();
    gpu_.stop();
    search_.leave();
    snapshot_.reset();
}

void Session::use_worker(const WorkerAt& at)
{
    if (at == worker())
        return;
    forget_machine(); // while it is still called what it was
    options_.worker.command = at.command;
    options_.worker.gpu = at.gpu;
    options_.worker.in_process = false;
    leave_out(at);
    std::shared_ptr<Worker> other = make_worker(*ladder_, options_.worker, options_.backend, options_.wake);
    {
        const std::lock_guard lock(worker_mutex_);
        worker_.swap(other);
    }
    other->close();
    retire(std::move(other));
    apply();
}

void Session::retire(std::shared_ptr<void> old)
{
    retiring_.emplace_back([old = std::move(old)]() mutable { old.reset(); });
}

Beside* Session::find_beside(const WorkerAt& at) const
{
    const auto found =
        std::ranges::find_if(beside_, [&](const std::unique_ptr<Beside>& one) { return one->at() == at; });
    return found == beside_.end() ? nullptr : found->get();
}

void Session::put_beside(const WorkerAt& at)
{
    if (at == worker() || is_beside(at))
        return;
    if (beside_.size() >= most_beside) {
        notice_ = viz::plain({"session.most_beside", {{"most", most_beside}}});
    } else {
        BesideOptions options{.at = at,
                              .worker = options_.worker,
                              .backend = options_.backend,
                              .tuned = options_.tuned,
                              .wake = options_.wake};
        options.worker.in_process = false;
        beside_.push_back(std::make_unique<Beside>(*ladder_, std::move(options), kept_speeds_));
    }
    snapshot_.reset();
}

void Session::leave_out(const WorkerAt& at)
{
    const auto found =
        std::ranges::find_if(beside_, [&](const std::unique_ptr<Beside>& one) { return one->at() == at; });
    if (found == beside_.end())
        return;
    (*found)->keep_speeds();
    retire(std::move(*found));
    beside_.erase(found);
    if (searches_at_ == at)
        searches_at_.reset();
    snapshot_.reset();
}

void Session::search_at(std::optional<WorkerAt> at)
{
    searches_at_ = std::move(at);
    snapshot_.reset();
}

void Session::poll_workers()
{
    std::string notice = worker_->take_notice();
    {
        const std::lock_guard lock(worker_mutex_);
        if (notice.empty() && tracer_ != nullptr)
            notice = tracer_->take_notice();
    }
    bool changed = false;
    for (const std::unique_ptr<Beside>& one : beside_) {
        changed |= one->poll(history_.now());
        if (notice.empty())
            notice = one->take_notice();
    }
    if (!changed && notice.empty())
        return;
    if (!notice.empty())
        notice_ = std::move(notice);
    snapshot_.reset();
}

} // namespace app
