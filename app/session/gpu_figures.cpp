#include "app/session/gpu_figures.h"

#include <fmt/format.h>

#include <utility>

namespace app {

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
    if (!here_ || measuring_ != 0)
        return;
    progress_ = {};
    failed_.clear();
    measuring_ = queue_.submit(Lane::search, ProbeTask());
}

void GpuFigures::stop()
{
    queue_.cancel(measuring_);
}

bool GpuFigures::receive(const Report& report)
{
    const bool own = report.ticket == measuring_ || report.ticket == saving_;
    if (!own || report.ticket == 0)
        return false;
    if (const Progress* progress = report.progress()) {
        progress_ = *progress;
        return true;
    }
    if (const Failure* failure = report.failure())
        failed_ = {failure->kind == Failure::Kind::cancelled
                       ? recording::Reason{recording::Missing::cancelled}
                       : recording::Reason{recording::Missing::failed, {failure->why}}};
    else if (const ProbeResult* result = report.result<ProbeResult>())
        take(*result);
    (report.ticket == measuring_ ? measuring_ : saving_) = 0;
    return true;
}

// What some steps found is shown; only a whole measurement is kept in a file.
void GpuFigures::take(const ProbeResult& result)
{
    for (const ProbeResult::Failed& failed : result.failed)
        failed_.push_back({recording::Missing::failed, {fmt::format("{}: {}", failed.step, failed.why)}});
    if (!result.whole && result.failed.empty()) {
        failed_ = {{recording::Missing::cancelled}};
        return;
    }
    if (!properties_ || result.measured == recording::GpuMeasurement()) // no step did
        return;
    know(result.measured, false);
    if (const std::filesystem::path kept = measured_gpu_path(result.measured.name); result.whole && !kept.empty())
        saving_ = queue_.submit(Lane::files, SaveTask{kept, GpuFacts{*properties_, result.measured}});
}

viz::GpuState GpuFigures::state() const
{
    if (!found_)
        return {.not_here = {{recording::Missing::looking_for_gpu}}};
    return {.properties = properties_,
            .measured = measured_,
            .here = here_,
            .not_here = not_here_,
            .measuring = measuring_ != 0,
            .done = progress_.done,
            .steps = progress_.steps,
            .step = progress_.step,
            .failed = failed_};
}

} // namespace app
