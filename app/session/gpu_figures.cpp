#include "app/session/gpu_figures.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace app {

namespace {

constexpr std::chrono::milliseconds pattern_rests{300}; // before it is measured

} // namespace

void GpuFigures::know(recording::GpuMeasurement measured, bool shipped)
{
    std::string date = measured.measured_at.substr(0, 10);
    measured_ = {std::move(measured), {.shipped = shipped, .device = properties_->name, .date = std::move(date)}};
}

void GpuFigures::machine_found(const MachineFacts& machine, const ReadGpu& shipped)
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
        if (const ReadGpu own = kept.empty() ? ReadGpu{} : read_gpu(kept); own.facts && own.facts->measured)
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

void GpuFigures::stop()
{
    engine_.cancel(ProbeTask());
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
