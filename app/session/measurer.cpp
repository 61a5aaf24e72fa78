#include "app/session/measurer.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace app {

namespace {

using namespace std::chrono_literals;

// Multiples of no tile, so that every guard is exercised; small, because the CPU runs it too.
recording::Problem ragged(const kernels::Job& job, float alpha, float beta)
{
    return kernels::used_part(job.stage->operation, {.M = 131, .N = 137, .K = 43, .alpha = alpha, .beta = beta});
}

// With beta 0 (the output starts as NaN) and with a beta that needs the old C; the larger error of the two.
kernels::Verification verify_ragged(kernels::Backend& backend, kernels::Job job, std::stop_token stop)
{
    kernels::Verification worst{.ok = true};
    for (const auto& [alpha, beta] : {std::pair{1.0f, 0.0f}, std::pair{0.5f, 3.0f}}) {
        job.problem = ragged(job, alpha, beta);
        const kernels::Verification found = kernels::verify(backend, job, kernels::ProbeKind::none, stop);
        if (!found.ok)
            return found;
        if (found.error >= worst.error)
            worst = found;
    }
    return worst;
}

// One measurement per job: what is known of it, or a blank.
void keep_same(const std::vector<kernels::Job>& jobs, std::vector<Measurement>& known)
{
    std::vector<Measurement> kept;
    for (const kernels::Job& job : jobs) {
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&](const Measurement& measurement) { return same(measurement.job, job); });
        kept.push_back(found != known.end() ? *found : Measurement{.job = job});
    }
    known = std::move(kept);
}

// Without a GPU all this runs on the cores that draw the window: of two cores it took one, and frames came late. It takes what
// is left over instead.
void step_aside()
{
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10); // of this thread only; refused, nothing is lost
}

} // namespace

bool same(const kernels::Job& a, const kernels::Job& b)
{
    return a.stage == b.stage && a.parameters == b.parameters && a.problem == b.problem;
}

Measurer::Measurer(FutureMachine machine, std::function<void()> wake)
    : machine_(std::move(machine)), wake_(std::move(wake)), thread_([this](std::stop_token stop) { work(stop); })
{
}

Measurer::~Measurer()
{
    thread_.request_stop();
    const std::lock_guard lock(mutex_);
    wanted_.changed.request_stop();
}

void Measurer::measure(std::vector<kernels::Job> jobs, recording::Problem compared)
{
    {
        const std::lock_guard lock(mutex_);
        ++wanted_.number;
        wanted_.jobs = std::move(jobs);
        wanted_.compared = compared;
        wanted_.changed.request_stop();
        wanted_.changed = {};
    }
    changed_.notify_one();
}

std::vector<Measurement> Measurer::take()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(results_, {});
}

std::vector<BaselineMeasurement> Measurer::take_baselines()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(baselines_, {});
}

void Measurer::publish(const Measurement& measurement)
{
    {
        const std::lock_guard lock(mutex_);
        results_.push_back(measurement);
    }
    wake_();
}

void Measurer::work(std::stop_token stop)
{
    const Machine& machine = machine_.get();
    if (!machine.gpu())
        step_aside();
    std::vector<Measurement> known;
    uint64_t done = 0;
    while (!stop.stop_requested() && machine.backend != nullptr) {
        Round round;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [&] { return wanted_.number != done; }))
                return;
            round = wanted_;
        }
        done = round.number;
        keep_same(round.jobs, known);
        // Settings change several at a time while someone types; what they type last counts.
        if (!settle(round, 300ms, stop) || !prepare_all(machine, round) || !verify_all(machine, round, known))
            continue;
        if (!machine.gpu()) {
            measure_baselines(machine, round);
            continue;
        }
        // Once quickly, then forever at a low duty: a tenth of the time.
        for (bool same = true; same;) {
            const auto begin = std::chrono::steady_clock::now();
            same = time_all(machine, round, known) && measure_baselines(machine, round);
            const auto took = std::chrono::steady_clock::now() - begin;
            same = same && settle(round, std::chrono::duration_cast<std::chrono::milliseconds>(9 * took), stop);
        }
    }
}

// Waits; false when the subjects changed or the end came meanwhile.
bool Measurer::settle(const Round& round, std::chrono::milliseconds time, std::stop_token stop)
{
    std::unique_lock lock(mutex_);
    const bool changed = changed_.wait_for(lock, stop, time, [&] { return wanted_.number != round.number; });
    return !changed && !stop.stop_requested();
}

template <class Work>
bool Measurer::in_turn(const Machine& machine, const Round& round, const Work& work)
{
    return machine.gate->in_turn(Rank::ladder, round.changed.get_token(), work);
}

bool Measurer::prepare_all(const Machine& machine, const Round& round)
{
    constexpr kernels::ProbeKind plain = kernels::ProbeKind::none;
    return in_turn(machine, round,
                   [&](std::stop_token token) { prepare(machine, round.jobs, std::span(&plain, 1), token); });
}

bool Measurer::verify_all(const Machine& machine, const Round& round, std::vector<Measurement>& known)
{
    for (std::size_t i = 0; i < known.size(); ++i) {
        const kernels::Job& job = round.jobs[i];
        Measurement& measurement = known[i];
        if (measurement.verification || !measurement.error.empty()) {
            publish(measurement); // known, but the session may have blanked it
            continue;
        }
        measurement.verified_at = ragged(job, 1, 0);
        const bool went_on = in_turn(machine, round, [&](std::stop_token token) {
            try {
                measurement.verification = verify_ragged(*machine.backend, job, token);
            } catch (const kernels::Cancelled&) {
                throw;
            } catch (const kernels::Unavailable& error) {
                measurement.error = error.what();
                measurement.unavailable = true;
            } catch (const std::exception& error) {
                measurement.error = error.what();
            }
        });
        if (!went_on)
            return false;
        publish(measurement);
    }
    return true;
}

bool Measurer::time_all(const Machine& machine, const Round& round, std::vector<Measurement>& known)
{
    for (std::size_t i = 0; i < known.size(); ++i) {
        Measurement& measurement = known[i];
        if (!measurement.verification || !measurement.verification->ok)
            continue; // a wrong result's speed is no speed
        const bool went_on = in_turn(machine, round, [&](std::stop_token token) {
            try {
                measurement.bench = machine.backend->bench(round.jobs[i], {.seconds = 0.25}, token);
                measurement.error.clear();
            } catch (const kernels::Cancelled&) {
                throw;
            } catch (const std::exception& error) {
                measurement.bench.reset();
                measurement.error = error.what();
            }
        });
        if (!went_on)
            return false;
        publish(measurement);
    }
    return true;
}

// Which kernels the library launches: after it was timed, for a GPU that is being traced may take longer.
bool Measurer::trace(const Machine& machine, const Round& round, BaselineMeasurement& found)
{
    const kernels::Baseline& baseline = *found.baseline;
    if (!machine.gpu() || !baseline.needs_gpu() || baseline.precision.fp64 || !found.result)
        return true;
    return in_turn(machine, round, [&](std::stop_token token) {
        try {
            found.kernels = machine.backend->cublas_kernels(baseline.precision, round.compared, token);
        } catch (const kernels::Cancelled&) {
            throw;
        } catch (const std::exception& error) {
            found.kernels_missing = error.what();
        }
    });
}

// Once for each size: they do not change, and a CPU takes its time.
bool Measurer::measure_baselines(const Machine& machine, const Round& round)
{
    if (compared_ == round.compared)
        return true;
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        BaselineMeasurement found{.baseline = &baseline, .problem = round.compared, .result = {}, .missing = {}};
        const bool went_on = in_turn(machine, round, [&](std::stop_token token) {
            try {
                found.result =
                    kernels::bench_baseline(*machine.backend, baseline, round.compared, {.seconds = 0.25}, token);
            } catch (const kernels::Cancelled&) {
                throw;
            } catch (const std::exception& error) {
                found.missing = error.what();
            }
        });
        if (!went_on || !trace(machine, round, found))
            return false;
        {
            const std::lock_guard lock(mutex_);
            baselines_.push_back(std::move(found));
        }
        wake_();
    }
    compared_ = round.compared;
    return true;
}

} // namespace app
