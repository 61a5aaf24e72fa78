#include "app/session/session_workers.h"

#include "app/worker/expected.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

// A stage of a person's own is recorded and timed there, as the ladder's are.
bool needs_gpu(const Task& task, const Worker& worker)
{
    const auto* run = std::get_if<RunFileTask>(&task);
    const MachinePtr machine = worker.machine();
    return run != nullptr && run->text && kernels::is_stage_file(*run->text) && machine != nullptr && machine->gpu();
}

void go_to(const WorkerAt& at, WorkerChoice& worker)
{
    worker.command = at.command;
    worker.gpu = at.gpu;
    worker.in_process = false;
}

} // namespace

SessionWorkers::SessionWorkers(const std::vector<kernels::Stage>& ladder, WorkersOptions options)
    : ladder_(ladder), options_(std::move(options)),
      worker_(make_worker(ladder, options_.worker, options_.backend, options_.wake))
{
}

void SessionWorkers::close()
{
    worker_->close(); // nobody waits for a kernel that is running
    const std::lock_guard lock(mutex_);
    if (tracer_ != nullptr)
        tracer_->close();
    for (std::unique_ptr<Beside>& one : beside_) // at once, not one after the other
        retire(std::move(one));
    beside_.clear();
}

Result SessionWorkers::run(const Task& task, Lane lane, std::stop_token stop,
                           const std::function<void(const Progress&)>& progress)
{
    const std::shared_ptr<Worker> worker = worker_for(task); // for as long as the task runs
    return worker->run(task, is_of_user(task) && !needs_gpu(task, *worker) ? Lane::code : lane, std::move(stop),
                       progress);
}

// A user's kernel, or the compiler that it is given to, may bring down its process: not that of the others, and on this machine,
// where its file is.
std::shared_ptr<Worker> SessionWorkers::worker_for(const Task& task)
{
    const std::lock_guard lock(mutex_);
    if (!is_of_user(task) || needs_gpu(task, *worker_))
        return worker_;
    if (tracer_ == nullptr) {
        WorkerChoice choice = options_.worker;
        choice.command.clear();
        choice.gpu.clear();
        choice.in_process = choice.in_process && !choice.users_apart;
        tracer_ = make_worker(ladder_, choice, "cpu", options_.wake);
    }
    return tracer_;
}

void SessionWorkers::use(const WorkerAt& at)
{
    leave_out(at);
    std::shared_ptr<Worker> other;
    {
        const std::lock_guard lock(mutex_);
        go_to(at, options_.worker);
        other = make_worker(ladder_, options_.worker, options_.backend, options_.wake);
        worker_.swap(other);
    }
    other->close();
    retire(std::move(other));
}

void SessionWorkers::retire(std::shared_ptr<void> old)
{
    retiring_.emplace_back([old = std::move(old)]() mutable { old.reset(); });
}

Beside* SessionWorkers::find(const WorkerAt& at) const
{
    const auto found =
        std::ranges::find_if(beside_, [&](const std::unique_ptr<Beside>& one) { return one->at() == at; });
    return found == beside_.end() ? nullptr : found->get();
}

bool SessionWorkers::put_beside(const WorkerAt& place)
{
    if (place == at() || is_beside(place))
        return true;
    if (beside_.size() >= most_beside)
        return false;
    WorkersOptions options = options_;
    go_to(place, options.worker);
    beside_.push_back(std::make_unique<Beside>(ladder_, std::move(options), kept_));
    return true;
}

void SessionWorkers::leave_out(const WorkerAt& at)
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
}

void SessionWorkers::follow(const Choice& choice)
{
    for (const std::unique_ptr<Beside>& one : beside_)
        one->follow(choice);
}

void SessionWorkers::leave_searches()
{
    for (const std::unique_ptr<Beside>& one : beside_)
        one->searched().leave();
}

std::vector<BesideState> SessionWorkers::states(const Choice& choice) const
{
    std::vector<BesideState> result;
    for (const std::unique_ptr<Beside>& one : beside_) {
        result.push_back(one->state(choice));
        result.back().searches = searches_at_ == one->at();
    }
    return result;
}

const SearchState* SessionWorkers::search() const
{
    for (const std::unique_ptr<Beside>& one : beside_)
        if (const SearchState* state = one->searched().state())
            return state;
    return nullptr;
}

bool SessionWorkers::poll(const Choice& choice)
{
    bool changed = false;
    for (const std::unique_ptr<Beside>& one : beside_)
        changed |= one->poll(choice);
    return changed;
}

std::string SessionWorkers::take_notice()
{
    std::string notice = worker_->take_notice();
    const std::lock_guard lock(mutex_);
    if (notice.empty() && tracer_ != nullptr)
        notice = tracer_->take_notice();
    for (const std::unique_ptr<Beside>& one : beside_)
        if (notice.empty())
            notice = one->take_notice();
    return notice;
}

} // namespace app
