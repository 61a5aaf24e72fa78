#include "app/serve/shared_worker.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace app {

namespace {

template <class T>
inline constexpr bool takes_minutes =
    std::is_same_v<T, TuneTask> || std::is_same_v<T, ProbeTask> || std::is_same_v<T, MeasurePatternsTask>;
// True for tasks of the ladder's stages, which read no file that a visitor names. Any other task is refused unless
// refusal() handles it.
template <class T>
inline constexpr bool is_of_ladder =
    std::is_same_v<T, RecordTask> || std::is_same_v<T, VerifyTask> || std::is_same_v<T, MeasureTask> ||
    std::is_same_v<T, BaselineTask> || std::is_same_v<T, CountTask> || std::is_same_v<T, ExamineTask> ||
    std::is_same_v<T, PrepareTask> || std::is_same_v<T, WarpsTask>;

// Returns whether the task compiles or runs source text that is not part of the ladder.
bool has_kernel(const Task& task)
{
    return is_of_user(task) ||
           std::visit(
               [](const auto& one) {
                   if constexpr (requires {
                                     one.recording;
                                     one.job;
                                 })
                       return !one.job.text.empty() || (one.recording && !own_text(*one.recording).empty());
                   else if constexpr (requires { one.job.text; })
                       return !one.job.text.empty();
                   else if constexpr (requires { one.jobs; })
                       return std::ranges::any_of(one.jobs, [](const StageJob& job) { return !job.text.empty(); });
                   else
                       return false;
               },
               task);
}

// A link may name any size, so the server checks sizes too. Recordings have the same limit for M, N and K as in the
// window's form (app/workspace/choice.h). Timing has a lower limit than there.
constexpr uint32_t largest_seen = 1024, largest_timed_there = 8192, most_elements = 1u << 28;

bool is_larger(const recording::Problem& problem, uint32_t side)
{
    // An operation on vectors has M = K = 1. It takes as long as one on a square matrix with as many elements.
    return problem.M > side || problem.K > side ||
           problem.N > (problem.M == 1 && problem.K == 1 ? most_elements : side);
}

bool is_too_large(const Task& task)
{
    const uint32_t most = std::holds_alternative<MeasureTask>(task) || std::holds_alternative<BaselineTask>(task) ||
                                  std::holds_alternative<CountTask>(task)
                              ? largest_timed_there
                              : largest_seen;
    return std::visit(
        [most](const auto& one) {
            if constexpr (requires { one.job.problem; })
                return is_larger(one.job.problem, most);
            else if constexpr (
                requires { one.problem; } && !requires { one.jobs; })
                return is_larger(one.problem, most);
            else
                return false; // compilations (`jobs`) take the same time for each size
        },
        task);
}

} // namespace

std::string refusal(const Task& task, const Visit& visit, const std::filesystem::path& shipped)
{
    if (has_kernel(task) && !visit.kernels)
        return "This server runs no kernels of visitors: it was started without --allow-kernels.";
    if (is_too_large(task))
        return fmt::format("Visitors record matrices of up to {} and time them up to {} on a side.", largest_seen,
                           largest_timed_there);
    return std::visit(
        [&]<class T>(const T& one) -> std::string {
            if constexpr (takes_minutes<T>)
                return "This takes the device for minutes, so visitors cannot begin it.";
            else if constexpr (std::is_same_v<T, OpenTask>)
                return visit.has(one.path) || (!one.stage.empty() && one.path == shipped) ||
                               one.path.lexically_normal().parent_path() == shipped / "sizes"
                           ? ""
                           : not_for_visitors;
            else if constexpr (std::is_same_v<T, SaveTask>)
                return visit.has(one.path) ? "" : not_for_visitors;
            else if constexpr (std::is_same_v<T, RunFileTask>)
                return visit.has(one.file) ? "" : not_for_visitors;
            else
                return is_of_ladder<T> ? "" : not_for_visitors;
        },
        task);
}

// Returns whether the task is about a file. The file's content may change, and the file may belong to one visitor.
bool is_of_file(const Task& task)
{
    return std::visit(
        [](const auto& one) {
            return requires
            {
                one.path;
            }
            || requires
            {
                one.file;
            };
        },
        task);
}

// The worker of one visitor's session. Closing it stops only the tasks of this visitor.
class SharedWorker::OfVisitor final : public Worker {
public:
    OfVisitor(std::shared_ptr<SharedWorker> shared, std::shared_ptr<const Visit> visit, std::function<void()> wake)
        : shared_(std::move(shared)), visit_(std::move(visit))
    {
        const std::lock_guard lock(shared_->mutex_);
        shared_->wakes_[this] = std::move(wake);
    }
    OfVisitor(const OfVisitor&) = delete;
    OfVisitor& operator=(const OfVisitor&) = delete;
    ~OfVisitor() override
    {
        const std::lock_guard lock(shared_->mutex_);
        shared_->wakes_.erase(this);
    }

    MachinePtr machine() const override { return shared_->worker_->machine(); }
    Result run(const Task& task, Lane lane, std::stop_token stop,
               const std::function<void(const Progress&)>& progress) override
    {
        if (const std::string why_not = refusal(task, *visit_, shared_->shipped_); !why_not.empty())
            throw kernels::Error(why_not);
        std::stop_source both;
        const std::stop_callback task_stops(stop, [&] { both.request_stop(); });
        const std::stop_callback visitor_leaves(closed_.get_token(), [&] { both.request_stop(); });
        return shared_->run(task, lane, both.get_token(), progress);
    }
    void close() override { closed_.request_stop(); }

private:
    std::shared_ptr<SharedWorker> shared_;
    std::shared_ptr<const Visit> visit_;
    std::stop_source closed_;
};

SharedWorker::SharedWorker(const std::vector<kernels::Stage>& ladder, WorkerChoice choice,
                           std::optional<std::string> backend, std::filesystem::path shipped)
    : ladder_(ladder), shipped_(std::move(shipped))
{
    const auto wake_all = [this] {
        const std::lock_guard lock(mutex_);
        for (const auto& [visitor, wake] : wakes_)
            wake();
    };
    worker_ = make_worker(ladder_, choice, backend, wake_all);
    choice.command.clear();
    choice.gpu.clear();
    of_kernels_ = make_worker(ladder_, choice, "cpu", wake_all);
}

std::unique_ptr<Worker> SharedWorker::for_visitor(std::shared_ptr<const Visit> visit, std::function<void()> wake)
{
    return std::make_unique<OfVisitor>(shared_from_this(), std::move(visit), std::move(wake));
}

std::size_t SharedWorker::computed() const
{
    const std::lock_guard lock(mutex_);
    return computed_;
}

SharedWorker::Kept* SharedWorker::find(const Task& task)
{
    const auto found = std::ranges::find(kept_, task, &Kept::task);
    if (found == kept_.end())
        return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return &kept_.front();
}

void SharedWorker::forget(const Task& task)
{
    kept_.remove_if([&](const Kept& one) { return one.task == task; });
}

// The first visitor who requests a task runs it, and others wait for its result. If the task fails or is stopped, the
// next visitor runs it again.
Result SharedWorker::run(const Task& task, Lane lane, const std::stop_token& stop,
                         const std::function<void(const Progress&)>& progress)
{
    // An OpenTask with a stage opens a shipped recording, which does not change. Results for other files are not kept,
    // because these files may change, and they are useless after their visitor has left.
    const auto* opened = std::get_if<OpenTask>(&task);
    const bool shipped = opened != nullptr && !opened->stage.empty();
    if (is_of_file(task) && !shipped)
        return compute(task, lane, stop, progress);
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] {
                const Kept* known = find(task);
                return known == nullptr || known->result;
            }))
            throw kernels::Cancelled();
        if (const Kept* known = find(task))
            return *known->result;
        kept_.push_front({task, std::nullopt});
    }
    try {
        Result result = compute(task, lane, stop, progress);
        const std::lock_guard lock(mutex_);
        if (Kept* waited = find(task))
            waited->result = result;
        for (auto oldest = std::prev(kept_.end()); kept_.size() > most_kept && oldest->result;)
            oldest = std::prev(kept_.erase(oldest));
        changed_.notify_all();
        return result;
    } catch (...) {
        const std::lock_guard lock(mutex_);
        forget(task);
        changed_.notify_all();
        throw;
    }
}

Result SharedWorker::compute(const Task& task, Lane lane, const std::stop_token& stop,
                             const std::function<void(const Progress&)>& progress)
{
    const bool of_user = is_of_user(task);
    bool& taken = taken_[static_cast<std::size_t>(of_user ? Lane::code : lane)];
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] { return !taken; }))
            throw kernels::Cancelled();
        taken = true;
        ++computed_;
    }
    const auto leave = [&] {
        const std::lock_guard lock(mutex_);
        taken = false;
        changed_.notify_all();
    };
    try {
        Result result = (of_user ? of_kernels_ : worker_)->run(task, lane, stop, progress);
        leave();
        return result;
    } catch (...) {
        leave();
        throw;
    }
}

} // namespace app
