#include "app/session/measurements.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

using namespace std::chrono_literals;

// Settings change several at a time while someone types; what they type last counts.
constexpr auto settles = 300ms;

// None where it was cancelled.
const Failure* failure_in(const Report& report)
{
    const Failure* failure = report.failure();
    return failure == nullptr || failure->kind == Failure::Kind::cancelled ? nullptr : failure;
}

Measurement& entry(std::vector<Measurement>& known, const StageJob& job)
{
    const auto found = std::ranges::find(known, job, &Measurement::job);
    return found != known.end() ? *found : known.emplace_back(Measurement{.job = job});
}

} // namespace

void Measurements::submit(Task task)
{
    const Ticket ticket = queue_.submit(Lane::ladder, task, due_);
    under_way_.emplace(ticket, std::move(task));
}

void Measurements::want(const MachineFacts& machine, std::vector<kernels::Job> jobs, recording::Problem compared)
{
    const auto same = [](const kernels::Job& a, const kernels::Job& b) {
        return a.parameters == b.parameters && a.problem == b.problem;
    };
    if (std::ranges::equal(jobs, jobs_, same))
        return;
    for (const auto& [ticket, task] : std::exchange(under_way_, {}))
        queue_.cancel(ticket);
    gpu_ = machine.gpu();
    jobs_ = std::move(jobs);
    compared_ = compared;
    due_ = TaskQueue::Clock::now() + settles;
    phase_ = Phase::none;
    if (machine.device)
        verify();
}

Measurements::Known Measurements::take()
{
    for (const auto& [ticket, task] : std::exchange(under_way_, {}))
        queue_.cancel(ticket);
    jobs_.clear();
    phase_ = Phase::none;
    std::erase_if(known_, [](const Measurement& one) { return one.failure.has_value(); }); // tried again
    return {std::exchange(known_, {}), std::exchange(baselines_, {})};
}

void Measurements::verify()
{
    phase_ = Phase::verifying;
    PrepareTask prepare;
    for (const kernels::Job& job : jobs_)
        prepare.jobs.push_back(named(job));
    submit(prepare);
    for (const kernels::Job& job : jobs_) {
        const StageJob job_of_stage = named(job); // GCC 14 warns of a reference that a temporary may be behind
        const Measurement& own = entry(known_, job_of_stage);
        if (!own.verification && !own.failure)
            submit(VerifyTask{.job = at_ragged_size(job), .scales = {{1, 0}, {0.5f, 3}}});
    }
}

// A wrong result's speed is no speed. The baselines do not change, and a CPU takes its time: once for each size.
void Measurements::time(TaskQueue::Clock::time_point due)
{
    phase_ = Phase::timing;
    due_ = due;
    phase_began_ = std::max(due, TaskQueue::Clock::now());
    if (gpu_)
        for (const kernels::Job& job : jobs_)
            if (const Measurement* own = find(named(job)); own != nullptr && own->verification && own->verification->ok)
                submit(MeasureTask{.job = own->job});
    for (const BaselineMeasurement& one : baselines(compared_))
        if (!one.known())
            submit(BaselineTask{.baseline = std::string(one.baseline->slug), .problem = compared_, .traced = gpu_});
}

void Measurements::next_phase()
{
    if (phase_ == Phase::verifying)
        time({});
    else if (phase_ == Phase::timing && gpu_) // once quickly, then forever at a low duty: a tenth of the time
        time(TaskQueue::Clock::now() + 9 * (TaskQueue::Clock::now() - phase_began_));
}

bool Measurements::receive(const Report& report)
{
    const auto found = under_way_.find(report.ticket);
    if (found == under_way_.end())
        return false;
    if (report.progress() != nullptr)
        return true;
    const Task task = std::move(found->second);
    under_way_.erase(found);
    if (const auto* verified = std::get_if<VerifyTask>(&task))
        receive(*verified, report);
    else if (const auto* timed = std::get_if<MeasureTask>(&task))
        receive(*timed, report);
    else if (const auto* baseline = std::get_if<BaselineTask>(&task))
        receive(*baseline, report);
    if (under_way_.empty())
        next_phase();
    return true;
}

void Measurements::receive(const VerifyTask& task, const Report& report)
{
    const auto job =
        std::ranges::find_if(jobs_, [&](const kernels::Job& one) { return at_ragged_size(one) == task.job; });
    if (job == jobs_.end())
        return;
    Measurement& own = entry(known_, named(*job));
    own.verified_at = task.job.problem;
    if (const auto* result = report.result<VerifyResult>())
        own.verification = result->worst;
    else if (const Failure* failure = failure_in(report))
        own.failure = *failure;
}

void Measurements::receive(const MeasureTask& task, const Report& report)
{
    Measurement& own = entry(known_, task.job);
    if (const auto* result = report.result<MeasureResult>()) {
        own.measured = *result;
        own.failure.reset();
    } else if (const Failure* failure = failure_in(report)) {
        own.measured.reset();
        own.failure = *failure;
    }
}

void Measurements::receive(const BaselineTask& task, const Report& report)
{
    BaselineMeasurement own{kernels::find_baseline(task.baseline), task.problem, {}};
    if (const auto* result = report.result<BaselineResult>())
        own = {.baseline = own.baseline,
               .problem = own.problem,
               .result = result->timed,
               .missing = result->missing,
               .kernels = result->kernels,
               .kernels_missing = result->kernels_missing};
    else if (const Failure* failure = failure_in(report))
        own.missing = failure->why;
    else
        return;
    baselines_.push_back(std::move(own));
}

const Measurement* Measurements::find(const StageJob& job) const
{
    const auto found = std::ranges::find(known_, job, &Measurement::job);
    return found == known_.end() ? nullptr : &*found;
}

std::vector<BaselineMeasurement> Measurements::baselines(const recording::Problem& problem) const
{
    std::vector<BaselineMeasurement> result;
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        const auto found = std::ranges::find_if(baselines_, [&](const BaselineMeasurement& one) {
            return one.baseline == &baseline && one.problem == problem;
        });
        if (found != baselines_.end()) {
            result.push_back(*found);
            continue;
        }
        result.push_back({&baseline, problem, {}});
        result.back().under_way = std::ranges::any_of(under_way_, [&](const auto& one) {
            const auto* task = std::get_if<BaselineTask>(&one.second);
            return task != nullptr && task->baseline == baseline.slug && task->problem == problem;
        });
    }
    return result;
}

} // namespace app
