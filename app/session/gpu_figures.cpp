#include "app/session/gpu_figures.h"

#include <fmt/format.h>

#include <utility>

namespace app {

void GpuFigures::say_origin(bool here, std::string_view how)
{
    if (!facts_->measured)
        return;
    from_ = {here, facts_->properties.name, facts_->measured->measured_at.substr(0, 10)};
    origin_ = fmt::format("{}{}", how, from_.date);
}

void GpuFigures::machine_found(const MachineFacts& machine, const ReadGpu& shipped)
{
    found_ = true;
    here_ = machine.gpu();
    facts_.reset();
    missing_ = machine.why_no_gpu;
    if (here_ && machine.properties) {
        facts_ = GpuFacts{*machine.properties, {}};
        const std::filesystem::path kept = measured_gpu_path(machine.properties->name);
        if (const ReadGpu own = kept.empty() ? ReadGpu{} : read_gpu(kept); own.facts && own.facts->measured) {
            facts_->measured = own.facts->measured;
            say_origin(true, "measured here, ");
        } else if (shipped.facts && shipped.facts->measured &&
                   shipped.facts->properties.name == facts_->properties.name) {
            facts_->measured = shipped.facts->measured;
            say_origin(false, "measured on another GPU of this name, shipped, ");
        }
    } else if (shipped.facts) {
        facts_ = shipped.facts;
        say_origin(false, fmt::format("measured on {}, shipped, ", facts_->properties.name));
    } else {
        missing_ += " " + shipped.missing;
    }
}

void GpuFigures::measure()
{
    if (!here_ || measuring_ != 0)
        return;
    progress_ = {};
    error_.clear();
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
    if (const auto* progress = std::get_if<Progress>(&report.what)) {
        progress_ = *progress;
        return true;
    }
    if (const auto* failure = std::get_if<Failure>(&report.what))
        error_ = failure->kind == Failure::Kind::cancelled ? "The measurement was cancelled." : failure->why;
    else if (const auto* result = std::get_if<ProbeResult>(&std::get<Result>(report.what)))
        take(*result);
    (report.ticket == measuring_ ? measuring_ : saving_) = 0;
    return true;
}

// What some steps found is shown; kept is the whole alone.
void GpuFigures::take(const ProbeResult& result)
{
    for (const ProbeResult::Failed& failed : result.failed)
        error_ += fmt::format("{}{}: {}", error_.empty() ? "" : " ", failed.step, failed.why);
    if (!result.whole && result.failed.empty()) {
        error_ = "The measurement was cancelled.";
        return;
    }
    if (!facts_ || result.measured == recording::GpuMeasurement()) // no step did
        return;
    facts_->measured = result.measured;
    say_origin(true, "measured here, ");
    if (const std::filesystem::path kept = measured_gpu_path(result.measured.name); result.whole && !kept.empty())
        saving_ = queue_.submit(Lane::files, SaveTask{kept, *facts_});
}

viz::GpuState GpuFigures::state() const
{
    viz::GpuState state;
    if (!found_) {
        state.missing = "Looking for a GPU …";
        return state;
    }
    state.here = here_;
    state.measuring = measuring_ != 0;
    state.done = progress_.done;
    state.steps = progress_.steps;
    state.step = progress_.step;
    state.error = error_;
    if (facts_) {
        state.properties = facts_->properties;
        state.measured = facts_->measured;
        state.origin = origin_;
        state.from = from_;
    }
    state.missing = missing_;
    return state;
}

} // namespace app
