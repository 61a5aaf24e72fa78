#include "app/session/measurements.h"

#include "app/text/format.h"

#include "gemm/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace app {

namespace {

using namespace std::chrono_literals;

// Typing changes several settings in quick succession. Only the last one counts, so a round starts after this delay.
constexpr auto settles = 300ms;

// The pause after a round, as a multiple of its duration. With the first pause, rounds take a tenth of the device's
// time. While nothing changes, each pause is three times as long as the last one, so an idle window leaves the device
// idle.
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

constexpr std::chrono::milliseconds pattern_rests{300}; // a pattern is measured if it stays this long

} // namespace

void Measurements::turn(const MachineFacts& machine, const std::vector<kernels::Job>& jobs,
                        const std::vector<std::size_t>& shown, const recording::Problem& compared)
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
    } else if (shown != shown_) {
        engine_.withdraw<MeasureTask>(); // they are requested again at once, in another order
    }
    shown_ = shown;
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

// Requests the round. Returns whether everything is answered. Shown stages are timed before the others are compiled,
// because compiling takes seconds. Measures each baseline only once per size, because baselines do not change and take
// long on a CPU.
bool Measurements::ask(const MachineFacts& machine, const recording::Problem& compared)
{
    std::vector<kernels::Job> shown;
    for (const std::size_t one : shown_)
        shown.push_back(jobs_[one]);
    bool whole = settled(machine, shown) && settled(machine, jobs_);
    if (!whole)
        return false;
    for (const kernels::Baseline& baseline : kernels::baselines())
        whole &= !engine_.ask(compared_with(baseline, compared), Lane::ladder).busy;
    return whole;
}

// Requests what is known of the jobs. Returns whether everything is answered. Does not time a stage with a wrong
// result.
bool Measurements::settled(const MachineFacts& machine, const std::vector<kernels::Job>& jobs)
{
    if (jobs.empty())
        return true;
    PrepareTask prepare;
    for (const kernels::Job& job : jobs)
        prepare.jobs.push_back(named(job));
    engine_.ask(prepare, Lane::ladder, due_);
    bool whole = true;
    for (const kernels::Job& job : jobs)
        whole &= !engine_.ask(verified(job), Lane::ladder, due_).busy;
    if (!whole)
        return false;
    if (!std::exchange(in_round_, true))
        round_began_ = Engine::Clock::now();
    for (const kernels::Job& job : jobs)
        if (const auto* known = engine_.known(verified(job)); machine.gpu() && known->value && known->value->worst.ok)
            whole &= !engine_.ask(timed(job), Lane::ladder).busy;
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

namespace {

viz::Speed no_speed(const recording::Reason& why)
{
    return {why, why};
}

recording::Missing why_no_speed(const MachineFacts* machine)
{
    if (machine == nullptr)
        return recording::Missing::looking_for_gpu;
    return machine->gpu() ? recording::Missing::in_progress : recording::Missing::no_gpu;
}

std::string error_text(double error)
{
    return fmt::format("{:.1e}", error);
}

// Returns a sentence about the accuracy that a smaller type costs; empty for FP32.
std::string cost_of_type(Type type, double total_error)
{
    return type == type_fp32 ? ""
                             : fmt::format(" With A and B rounded from FP32 to {}, its error in all is {}.",
                                           kernels::full_name_of(type), error_text(total_error));
}

void describe_verdict(const kernels::Job& job, const Measurement& measurement, StageStatus& status)
{
    if (measurement.failure) {
        const bool absent = measurement.failure->kind == Failure::Kind::unavailable && !measurement.verification;
        status.verdict = absent ? Verdict::absent : Verdict::failed;
        status.said = measurement.failure->why;
        return;
    }
    if (!measurement.verification)
        return;
    const kernels::Verification& found = *measurement.verification;
    const bool right = found.ok && (!measurement.measured || measurement.measured->right);
    const std::string verified =
        fmt::format("at {}: relative error {}, allowed {}", size_text(measurement.verified_at, job.stage->operation),
                    error_text(found.error), error_text(found.tolerance));
    status.verdict = right ? Verdict::right : Verdict::wrong;
    if (right)
        status.said = fmt::format(
            "Verified against float64 {}.{}", verified,
            cost_of_type(kernels::type_of(job),
                         measurement.measured ? measurement.measured->bench.total_error : found.total_error));
    else if (!found.ok)
        status.said = fmt::format("Wrong result {}; so no speed is shown.", verified);
    else
        status.said = fmt::format("Wrong result at {}: relative error {}; so no speed is shown.",
                                  size_text(measurement.job.problem, job.stage->operation),
                                  error_text(measurement.measured->bench.relative_error));
}

void describe_speed(const kernels::Job& job, const MeasureResult& measured, const MachineFacts& machine,
                    StageStatus& status)
{
    const kernels::BenchResult& bench = measured.bench;
    status.timed = true;
    status.timing = bench.stage;
    status.cublas_missing = bench.cublas_missing;
    status.cublas_gflops = measured.speed.cublas_gflops;
    const recording::Provenance from{.device = machine.device->name,
                                     .problem = job.problem,
                                     .samples = static_cast<uint32_t>(std::max(bench.stage.samples, 0))};
    status.speed = speed_of(measured.speed.gflops, measured.speed.of_cublas, bench.stage.median_ms, from);
}

} // namespace

viz::Speed speed_of(std::optional<double> gflops, std::optional<double> of_cublas, double median_ms,
                    const recording::Provenance& from)
{
    if (!gflops)
        return no_speed({recording::Missing::no_arithmetic, {fmt::format("{:.3f}", median_ms)}});
    return {{*gflops, from}, of_cublas ? recording::Measured<double>(*of_cublas, from) : recording::Missing::not_asked};
}

StageStatus describe(const kernels::Job& job, const std::optional<Measurement>& measurement,
                     const MachineFacts* machine)
{
    StageStatus status;
    status.parameters = job.parameters;
    status.speed = no_speed({why_no_speed(machine)});
    if (!measurement || machine == nullptr)
        return status;
    describe_verdict(job, *measurement, status);
    if (status.verdict == Verdict::right && measurement->measured)
        describe_speed(job, *measurement->measured, *machine, status);
    else if (status.verdict == Verdict::wrong)
        status.speed = no_speed({recording::Missing::wrong_result});
    else if (status.verdict == Verdict::failed)
        status.speed = no_speed({recording::Missing::failed, {measurement->failure->why}});
    else if (status.verdict == Verdict::absent)
        status.speed = no_speed({recording::Missing::absent, {measurement->failure->why}});
    return status;
}

void GpuFigures::know(recording::GpuMeasurement measured, bool shipped)
{
    std::string date = measured.measured_at.substr(0, 10);
    measured_ = {std::move(measured), {.shipped = shipped, .device = properties_->name, .date = std::move(date)}};
}

void GpuFigures::machine_found(const MachineFacts& machine, const ShippedGpu& shipped)
{
    found_ = true;
    here_ = machine.gpu();
    properties_ = recording::Missing::not_asked;
    measured_ = recording::Missing::not_asked;
    not_here_.clear();
    if (!machine.why_no_gpu.empty())
        not_here_.push_back({recording::Missing::no_gpu, {machine.why_no_gpu}});
    const bool has_measurement = shipped.facts && shipped.facts->measured;
    if (here_ && machine.properties) {
        properties_ = {*machine.properties, {.how = recording::How::recorded, .device = machine.properties->name}};
        const std::filesystem::path kept = measured_gpu_path(machine.properties->name);
        if (const ShippedGpu own = kept.empty() ? ShippedGpu{} : read_gpu(kept); own.facts && own.facts->measured)
            know(*own.facts->measured, false);
        else if (has_measurement && shipped.facts->properties.name == properties_->name)
            know(*shipped.facts->measured, true);
    } else if (shipped.facts) {
        properties_ = {shipped.facts->properties,
                       {.how = recording::How::recorded, .shipped = true, .device = shipped.facts->properties.name}};
        if (has_measurement)
            know(*shipped.facts->measured, true);
    } else {
        not_here_.insert(not_here_.end(), shipped.missing.begin(), shipped.missing.end());
    }
}

void GpuFigures::measure()
{
    if (!here_ || measuring_)
        return;
    progress_ = {};
    failed_.clear();
    measuring_ = true;
    engine_.renew(ProbeTask(), Lane::search);
}

bool GpuFigures::measure_pattern(const model::PatternRow& row)
{
    MeasurePatternsTask wanted{{row}, true};
    if (!here_ || wanted == wanted_pattern_)
        return false;
    wanted_pattern_ = std::move(wanted);
    pattern_due_ = Engine::Clock::now() + pattern_rests;
    return true;
}

void GpuFigures::turn_pattern()
{
    pattern_.reset();
    if (!here_ || !wanted_pattern_)
        return;
    const Loadable<MeasurePatternsTask>& known = engine_.ask(*wanted_pattern_, Lane::counters, pattern_due_);
    viz::MeasuredPattern now{.row = wanted_pattern_->rows.front(), .busy = known.busy, .from = {}, .failed = {}};
    if (known.value != nullptr) {
        now.row = known.value->rows.front();
        now.failed = known.value->not_counted;
    }
    if (known.failed())
        now.failed = known.failure->why;
    now.from = {.how = recording::How::counted, .device = properties_ ? properties_->name : std::string()};
    pattern_ = std::make_shared<const viz::MeasuredPattern>(std::move(now));
}

void GpuFigures::turn()
{
    turn_pattern();
    const auto fail = [&](const Failure& failure) {
        failed_ = {failure.kind == Failure::Kind::cancelled
                       ? recording::Reason{recording::Missing::cancelled}
                       : recording::Reason{recording::Missing::failed, {failure.why}}};
    };
    if (measuring_) {
        const Loadable<ProbeTask>* known = engine_.follow(ProbeTask());
        measuring_ = known != nullptr && known->busy;
        if (measuring_)
            progress_ = known->progress;
        else if (known == nullptr || known->failure)
            fail(known == nullptr ? Failure{Failure::Kind::cancelled, {}} : *known->failure);
        else
            take(*known->value);
    }
    const Loadable<SaveTask>* saved = saving_ ? engine_.follow(*saving_) : nullptr;
    if (saved != nullptr && !saved->busy) {
        if (saved->failure)
            fail(*saved->failure);
        saving_.reset();
    }
}

// Takes the results of a measurement. The results of some steps are shown, but only a complete measurement is saved.
void GpuFigures::take(const ProbeResult& result)
{
    for (const ProbeResult::Failed& failed : result.failed)
        failed_.push_back({recording::Missing::failed, {fmt::format("{}: {}", failed.step, failed.why)}});
    if (!result.whole && result.failed.empty()) {
        failed_ = {{recording::Missing::cancelled}};
        return;
    }
    if (!properties_ || result.measured == recording::GpuMeasurement()) // no step succeeded
        return;
    know(result.measured, false);
    if (const std::filesystem::path kept = measured_gpu_path(result.measured.name); result.whole && !kept.empty())
        engine_.renew(saving_.emplace(SaveTask{kept, GpuFacts{*properties_, result.measured}}), Lane::files);
}

viz::GpuState GpuFigures::state() const
{
    if (!found_)
        return {.not_here = {{recording::Missing::looking_for_gpu}}};
    return {.properties = properties_,
            .measured = measured_,
            .here = here_,
            .not_here = not_here_,
            .measuring = measuring_,
            .done = progress_.done,
            .steps = progress_.steps,
            .step = progress_.step,
            .failed = failed_};
}

} // namespace app
