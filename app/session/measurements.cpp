#include "app/session/measurements.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

using namespace std::chrono_literals;

// Typing changes several settings in quick succession. Only the last one counts, so a round starts after this delay.
constexpr auto settles = 300ms;

// The pause after a round, in times that the round took: at first it takes a tenth of the device. While nothing changes
// each pause is three times the one before, so that a window that nobody uses leaves the device and the processor idle.
constexpr int first_pause = 9, pause_growth = 3, longest_pause = 9 * 81;

VerifyTask verified(const kernels::Job& job)
{
    return {.job = at_ragged_size(job), .scales = {{1, 0}, {0.5f, 3}}};
}

MeasureTask timed(const kernels::Job& job)
{
    return {.job = named(job)};
}

BaselineTask compared_with(const kernels::Baseline& baseline, const recording::Problem& problem)
{
    return {.baseline = std::string(baseline.slug), .problem = problem, .traced = baseline.needs_gpu()};
}

BaselineMeasurement measurement_of(const BaselineTask& task, const Loadable<BaselineTask>& known)
{
    BaselineMeasurement own{kernels::find_baseline(task.baseline), task.problem, {}};
    own.under_way = known.busy;
    if (known.failed())
        own.missing = known.failure->why;
    if (known.value == nullptr)
        return own;
    own.result = known.value->timed;
    own.missing = known.value->missing;
    own.kernels = known.value->kernels;
    own.kernels_missing = known.value->kernels_missing;
    return own;
}

void add(const Loadable<MeasureTask>* known, Measurement& to)
{
    if (known == nullptr)
        return;
    to.measured = known->value;
    if (known->failed())
        to.failure = known->failure;
}

} // namespace

void Measurements::turn(const MachineFacts& machine, const std::vector<kernels::Job>& jobs,
                        const recording::Problem& compared)
{
    const auto same = [](const kernels::Job& a, const kernels::Job& b) {
        return a.parameters == b.parameters && a.problem == b.problem;
    };
    if (!std::ranges::equal(jobs, jobs_, same)) {
        jobs_ = jobs;
        due_ = Engine::Clock::now() + settles;
        in_round_ = false;
        pause_ = first_pause;
        engine_.withdraw<MeasureTask>(); // otherwise the new requests wait behind them
        engine_.withdraw<BaselineTask>();
    }
    if (!machine.device || !ask(machine, compared) || !machine.gpu())
        return;
    const auto now = Engine::Clock::now();
    due_ = now + pause_ * (now - round_began_);
    pause_ = std::min(pause_ * pause_growth, longest_pause);
    round_began_ = due_;
    for (const kernels::Job& job : jobs_)
        if (engine_.known(timed(job)) != nullptr)
            engine_.renew(timed(job), Lane::ladder, due_);
}

// Requests the round. Returns whether everything is answered. Does not time a stage with a wrong result. Measures each
// baseline only once per size, because baselines do not change and take long on a CPU.
bool Measurements::ask(const MachineFacts& machine, const recording::Problem& compared)
{
    PrepareTask prepare;
    for (const kernels::Job& job : jobs_)
        prepare.jobs.push_back(named(job));
    engine_.ask(prepare, Lane::ladder, due_);
    bool whole = true;
    for (const kernels::Job& job : jobs_)
        whole &= !engine_.ask(verified(job), Lane::ladder, due_).busy;
    if (!whole)
        return false;
    if (!std::exchange(in_round_, true))
        round_began_ = Engine::Clock::now();
    for (const kernels::Job& job : jobs_)
        if (const auto* known = engine_.known(verified(job)); machine.gpu() && known->value && known->value->worst.ok)
            whole &= !engine_.ask(timed(job), Lane::ladder).busy;
    for (const kernels::Baseline& baseline : kernels::baselines())
        whole &= !engine_.ask(compared_with(baseline, compared), Lane::ladder).busy;
    return whole;
}

std::optional<Measurement> Measurements::find(const kernels::Job& job) const
{
    Measurement own{.job = named(job)};
    if (const auto* known = engine_.known(verified(job))) {
        own.verified_at = verified(job).job.problem;
        if (known->value)
            own.verification = known->value->worst;
        if (known->failed())
            own.failure = known->failure;
    }
    add(engine_.known(timed(job)), own);
    return own.verification || own.measured || own.failure ? std::optional(std::move(own)) : std::nullopt;
}

std::vector<Measurement> Measurements::timed_of(const kernels::Job& job) const
{
    std::vector<Measurement> all;
    const StageJob wanted = named(job);
    engine_.each<MeasureTask>([&](const MeasureTask& task, const Loadable<MeasureTask>&) {
        if (task.job.stage != wanted.stage || task.job.parameters != wanted.parameters)
            return;
        kernels::Job at = job;
        at.problem = task.job.problem;
        if (std::optional<Measurement> one = find(at))
            all.push_back(*std::move(one));
    });
    return all;
}

std::vector<BaselineMeasurement> Measurements::baselines(const recording::Problem& problem) const
{
    std::vector<BaselineMeasurement> result;
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        const BaselineTask task = compared_with(baseline, problem);
        const Loadable<BaselineTask>* known = engine_.known(task);
        result.push_back(measurement_of(task, known == nullptr ? Loadable<BaselineTask>() : *known));
    }
    return result;
}

std::vector<BaselineMeasurement> Measurements::all_baselines() const
{
    std::vector<BaselineMeasurement> result;
    engine_.each<BaselineTask>([&](const BaselineTask& task, const Loadable<BaselineTask>& known) {
        if (BaselineMeasurement own = measurement_of(task, known); own.known())
            result.push_back(std::move(own));
    });
    return result;
}

} // namespace app
