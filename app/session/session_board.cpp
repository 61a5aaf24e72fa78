// What the session knows of the whole ladder and of the GPU, as the views get it.
#include "app/session/session.h"

#include "app/shell/format.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace app {

namespace {

double volume(const recording::Problem& problem)
{
    return double{1} * problem.M * problem.N * problem.K;
}

// Ascending by size; of two at one size the one that came first stays.
void add_speed(std::vector<viz::SpeedAt>& speeds, viz::SpeedAt speed)
{
    const auto place = std::ranges::lower_bound(speeds, volume(speed.problem), {},
                                                [](const viz::SpeedAt& one) { return volume(one.problem); });
    if (place == speeds.end() || volume(place->problem) != volume(speed.problem))
        speeds.insert(place, std::move(speed));
}

std::optional<viz::SpeedAt> nearest(const std::vector<viz::SpeedAt>& speeds, const recording::Problem& wanted)
{
    const auto distance = [&](const viz::SpeedAt& one) {
        return std::abs(std::log(volume(one.problem) / volume(wanted)));
    };
    const auto found = std::ranges::min_element(speeds, {}, distance);
    return found == speeds.end() ? std::nullopt : std::optional(*found);
}

} // namespace

void Session::remember_speed(std::string slug, const kernels::ParameterValues& parameters, viz::SpeedAt speed)
{
    const auto same = std::ranges::find_if(timed_, [&](const TimedAt& one) {
        return one.slug == slug && one.parameters == parameters && one.speed.problem == speed.problem;
    });
    if (same != timed_.end())
        same->speed = std::move(speed);
    else
        timed_.push_back({std::move(slug), parameters, std::move(speed)});
}

// Measured here; where there is no GPU, what is shipped.
std::vector<viz::SpeedAt> Session::speeds_of(std::string_view slug, const kernels::ParameterValues& parameters) const
{
    std::vector<viz::SpeedAt> speeds;
    for (const TimedAt& one : timed_)
        if (one.slug == slug && one.parameters == parameters)
            add_speed(speeds, one.speed);
    const Machine* opened = machine();
    if (opened == nullptr || opened->gpu())
        return speeds;
    // Those of other sizes were made with what the stage chooses there by itself.
    const bool chosen_by_stage = std::ranges::any_of(ladder_, [&](const kernels::Stage& stage) {
        return stage.slug == slug && stage.standard_parameters() == parameters;
    });
    for (const auto* rows : {&shipped_speeds_.rows, &shipped_speeds_.by_size})
        for (const TimedRow& row : *rows)
            if (row.slug == slug && row.gflops &&
                (row.parameters == parameters || (chosen_by_stage && rows == &shipped_speeds_.by_size)))
                add_speed(speeds, {row.problem, *row.gflops, shipped_words(shipped_speeds_, row)});
    return speeds;
}

viz::RungFacts Session::facts_of(std::size_t index) const
{
    const kernels::Stage& stage = ladder_[index];
    const kernels::ParameterValues& parameters = rungs_[index].parameters;
    viz::RungFacts facts{.slug = std::string(stage.slug), .idea = std::string(stage.idea)};
    facts.type = kernels::name_of(stage.type(parameters));
    const bool wrong = rungs_[index].verdict == Verdict::wrong || rungs_[index].verdict == Verdict::failed;
    if (!wrong)
        facts.speeds = speeds_of(stage.slug, parameters);
    facts.speed = nearest(facts.speeds, timed_problem(index));
    facts.why_no_speed = rungs_[index].speed.why_missing;
    add_counters(index, facts);
    const std::vector<recording::Parameter> wanted = kernels::named(stage, parameters);
    facts.parameters = wanted;
    facts.launched = recording::LaunchedKernel{
        .name = facts.slug, .launch = stage.launch(parameters, timed_problem(index)), .cluster = {}, .resources = {}};
    if (const ShelfEntry* shipped = shelf_.find(stage.slug, wanted)) {
        facts.traffic = shipped->traffic;
        facts.traffic_origin = shipped->traffic_origin;
        facts.tile = shipped->tile;
        facts.launch = shipped->launch;
        facts.tall = shipped->tall;
        if (shipped->resources)
            facts.launched->resources = *shipped->resources;
    }
    // A recording that is shown says more about itself than a shipped one, unless that one is larger.
    for (std::size_t slot = 0; slot < counted_.size(); ++slot) {
        const Counted& counted = counted_[slot];
        if (counted.recording == nullptr || counted.recording->stage != stage.slug ||
            counted.recording->parameters != wanted)
            continue;
        if (counted.recording->resources)
            facts.launched->resources = *counted.recording->resources;
        if (!facts.tile)
            facts.tile = counted.tile;
        if (!facts.traffic || volume(facts.traffic->problem) < volume(counted.traffic.problem)) {
            facts.traffic = counted.traffic;
            facts.traffic_origin = counted_words(*counted.recording, stage.operation, shown_[slot].shipped);
        }
    }
    return facts;
}

// Of the GPU here for a recording that is shown, where it was asked; and what is shipped, at other sizes too.
void Session::add_counters(std::size_t index, viz::RungFacts& facts) const
{
    const Machine* opened = machine();
    facts.counted = shipped_counters_.of(ladder_[index], rungs_[index].parameters);
    const bool gpu = opened != nullptr && opened->gpu();
    if (opened != nullptr)
        facts.why_not_counted = gpu ? "" : opened->why_no_gpu + " " + shipped_counters_.missing;
    for (const Shown& shown : shown_) {
        const RecordingPtr& made = shown.subject.recording;
        const CountersPtr own = made != nullptr && made->stage == facts.slug && gpu ? counters_.of(made) : nullptr;
        if (own == nullptr)
            continue;
        facts.why_not_counted = own->missing;
        if (!own->counters)
            continue;
        std::erase_if(facts.counted, [&](const auto& one) { return one.problem == made->problem; });
        facts.counted.push_back(
            hardware_figures({&ladder_[index], rungs_[index].parameters, made->problem}, *own->counters));
        facts.counted.back().from = {.here = true, .device = own->counters->device.name, .date = {}};
    }
    std::ranges::sort(facts.counted, {}, &viz::HardwareFigures::least_read);
}

viz::GpuState Session::gpu_state() const
{
    viz::GpuState state;
    const Machine* opened = machine();
    if (opened == nullptr) {
        state.missing = "Looking for a GPU …";
        return state;
    }
    state.here = opened->gpu();
    state.measuring = probing_.running;
    state.done = probing_.done;
    state.steps = probing_.steps;
    state.step = probing_.step;
    state.error = probing_.error;
    if (gpu_) {
        state.properties = gpu_->properties;
        state.measured = gpu_->measured;
        state.origin = gpu_origin_;
        state.from = gpu_from_;
    }
    state.missing = gpu_missing_;
    return state;
}

void Session::look_at_shown()
{
    for (std::size_t slot = 0; slot < counted_.size(); ++slot) {
        const RecordingPtr& made = shown_[slot].subject.recording;
        if (counted_[slot].recording == made)
            continue;
        counted_[slot] = {.recording = made};
        if (made != nullptr)
            counted_[slot] = {made, viz::traffic_of(*made), viz::reuse_tile(*made)};
    }
}

viz::Board Session::board()
{
    look_at_shown();
    viz::Board board{.timed = compared_problem()};
    for (std::size_t i = 0; i < ladder_.size(); ++i)
        board.rungs.push_back(facts_of(i));
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        if (!baseline.needs_gpu() || baseline.precision.fp64)
            continue;
        viz::RungFacts facts{.slug = std::string(baseline.slug),
                             .idea = std::string(baseline.title),
                             .type = std::string(kernels::name_of(baseline.precision.type)),
                             .library = true};
        facts.speeds = speeds_of(baseline.slug, {});
        facts.speed = nearest(facts.speeds, board.timed);
        board.rungs.push_back(std::move(facts));
    }
    board.gpu = gpu_state();
    board.counting = counters_.busy();
    board.library = library_;
    board.shapes = shapes_;
    return board;
}

// What is known of the GPU here; where there is none, of the one that the shipped figures come from.
void Session::find_gpu_facts()
{
    const Machine& opened = future_.get();
    const ReadGpu shipped = read_shipped_gpu(shipped_folder_);
    const auto say_origin = [this](bool here, std::string_view how) {
        if (!gpu_->measured)
            return;
        gpu_from_ = {here, gpu_->properties.name, gpu_->measured->measured_at.substr(0, 10)};
        gpu_origin_ = fmt::format("{}{}", how, gpu_from_.date);
    };
    gpu_.reset();
    gpu_missing_ = opened.why_no_gpu;
    if (opened.gpu() && opened.properties) {
        gpu_ = GpuFacts{*opened.properties, {}};
        const std::filesystem::path kept = measured_gpu_path(opened.properties->name);
        if (const ReadGpu own = kept.empty() ? ReadGpu{} : read_gpu(kept); own.facts && own.facts->measured) {
            gpu_->measured = own.facts->measured;
            say_origin(true, "measured here, ");
        } else if (shipped.facts && shipped.facts->measured &&
                   shipped.facts->properties.name == gpu_->properties.name) {
            gpu_->measured = shipped.facts->measured;
            say_origin(false, "measured on another GPU of this name, shipped, ");
        }
    } else if (shipped.facts) {
        gpu_ = shipped.facts;
        say_origin(false, fmt::format("measured on {}, shipped, ", gpu_->properties.name));
    } else {
        gpu_missing_ += " " + shipped.missing;
    }
}

void Session::measure_gpu()
{
    if (opened_ && future_.get().gpu() && !probing_.running) {
        probing_ = {.running = true};
        prober_.start();
    }
}

bool Session::receive_probe()
{
    std::optional<GpuProgress> progress = prober_.take();
    if (!progress)
        return false;
    probing_ = std::move(*progress);
    if (probing_.result && gpu_) {
        gpu_->measured = probing_.result;
        gpu_from_ = {true, gpu_->properties.name, probing_.result->measured_at.substr(0, 10)};
        gpu_origin_ = fmt::format("measured here, {}", gpu_from_.date);
    }
    return true;
}

} // namespace app
