#include "app/session/board.h"

#include "app/text/format.h"

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

// Where there is no GPU, what is shipped. `standard`: the parameters are those that the stage chooses by itself, as those of
// other sizes were made with.
struct SpeedsOf {
    std::string_view slug;
    const kernels::ParameterValues& parameters;
    bool standard;
};

void add_shipped(const Known& known, const SpeedsOf& of, std::vector<viz::SpeedAt>& speeds)
{
    if (known.machine == nullptr || known.machine->gpu())
        return;
    const ShippedSpeeds& shipped = known.catalogue->speeds;
    for (const auto* rows : {&shipped.rows, &shipped.by_size})
        for (const TimedRow& row : *rows)
            if (row.slug == of.slug && row.gflops &&
                (row.parameters == of.parameters || (of.standard && rows == &shipped.by_size)))
                add_speed(speeds, {row.problem, *row.gflops, shipped_words(shipped, row)});
}

std::vector<viz::SpeedAt> stage_speeds(const Known& known, const kernels::Stage& stage,
                                       const kernels::ParameterValues& parameters)
{
    std::vector<viz::SpeedAt> speeds;
    const std::vector<recording::Parameter> wanted = kernels::named(stage, parameters);
    for (const Measurement& one : known.measurements.all())
        if (one.job.stage == stage.slug && one.job.parameters == wanted && known.machine != nullptr) {
            const kernels::Job job{&stage, parameters, one.job.problem};
            if (const StageStatus status = describe(job, &one, known.machine); status.speed.gflops)
                add_speed(speeds, {job.problem, *status.speed.gflops, status.speed.origin});
        }
    add_shipped(known, {stage.slug, parameters, stage.standard_parameters() == parameters}, speeds);
    return speeds;
}

std::vector<viz::SpeedAt> baseline_speeds(const Known& known, const kernels::Baseline& baseline)
{
    std::vector<viz::SpeedAt> speeds;
    for (const BaselineMeasurement& one : known.measurements.all_baselines())
        if (one.baseline == &baseline && one.result && one.result->right())
            add_speed(speeds, {one.problem, one.result->gflops, "measured here"});
    add_shipped(known, {baseline.slug, {}, false}, speeds);
    return speeds;
}

// Of the GPU here for a recording that is shown, where it was asked; and what is shipped, at other sizes too.
void add_counters(const Known& known, const Snapshot& snapshot, const kernels::Stage& stage,
                  const kernels::ParameterValues& parameters, viz::RungFigures& facts)
{
    facts.counted = known.catalogue->counters.of(stage, parameters);
    if (snapshot.found)
        facts.why_not_counted =
            snapshot.gpu() ? "" : snapshot.found->why_no_gpu + " " + known.catalogue->counters.missing;
    for (const Shown& shown : snapshot.shown) {
        const RecordingPtr& made = shown.stage.recording;
        const CountersPtr own =
            made != nullptr && made->stage == facts.slug && snapshot.gpu() ? shown.counters : nullptr;
        if (own == nullptr)
            continue;
        facts.why_not_counted = own->missing;
        if (!own->counters)
            continue;
        std::erase_if(facts.counted, [&](const auto& one) { return one.problem == made->problem; });
        facts.counted.push_back(hardware_figures({&stage, parameters, made->problem}, *own->counters));
        facts.counted.back().from = {.here = true, .device = own->counters->device.name, .date = {}};
    }
    std::ranges::sort(facts.counted, {}, &viz::HardwareFigures::least_read);
}

void add_shipped_launch(const ShippedLaunch& shipped, viz::RungFigures& facts)
{
    facts.traffic = shipped.traffic;
    facts.traffic_origin = shipped.traffic_origin;
    facts.tile = shipped.tile;
    facts.launch = shipped.launch;
    facts.tall = shipped.tall;
    if (shipped.resources)
        facts.launched->resources = *shipped.resources;
}

// A recording that is shown says more about itself than a shipped one, unless that one is larger.
void add_shown(const Known& known, const Snapshot& snapshot, const kernels::Stage& stage, viz::RungFigures& facts)
{
    for (const Slot slot : {Slot::first, Slot::second}) {
        const ShownRecording& shown = known.recordings.shown(slot);
        const Recorded& made = shown.recorded;
        if (made.recording == nullptr || made.recording->stage != stage.slug ||
            made.recording->parameters != facts.parameters)
            continue;
        if (made.recording->resources)
            facts.launched->resources = *made.recording->resources;
        if (!facts.tile)
            facts.tile = made.tile;
        if (!facts.traffic || volume(facts.traffic->problem) < volume(made.traffic.problem)) {
            facts.traffic = made.traffic;
            facts.traffic_origin = counted_words(*made.recording, stage.operation, snapshot.shows_shipped(slot));
        }
    }
}

viz::RungFigures stage_facts(const Known& known, const Snapshot& snapshot, std::size_t index)
{
    const kernels::Stage& stage = snapshot.ladder()[index];
    const StageStatus& status = snapshot.stage(index);
    const recording::Problem timed = snapshot.timed_problem(index);
    viz::RungFigures facts{.slug = std::string(stage.slug), .idea = std::string(stage.idea)};
    facts.type = kernels::name_of(stage.type(status.parameters));
    if (!status.refuted())
        facts.speeds = stage_speeds(known, stage, status.parameters);
    facts.speed = nearest(facts.speeds, timed);
    facts.why_no_speed = status.speed.why_missing;
    add_counters(known, snapshot, stage, status.parameters, facts);
    facts.parameters = kernels::named(stage, status.parameters);
    facts.launched = recording::LaunchedKernel{
        .name = facts.slug, .launch = stage.launch(status.parameters, timed), .cluster = {}, .resources = {}};
    const ShippedLaunch* shipped =
        known.launches == nullptr ? nullptr : known.launches->find(stage.slug, facts.parameters);
    if (shipped != nullptr)
        add_shipped_launch(*shipped, facts);
    add_shown(known, snapshot, stage, facts);
    return facts;
}

} // namespace

viz::Board make_board(const Known& known, const Snapshot& snapshot)
{
    viz::Board board{.timed = timed_problem(known.choice.sizes, kernels::Operation::gemm)};
    for (std::size_t i = 0; i < known.ladder->size(); ++i)
        board.rungs.push_back(stage_facts(known, snapshot, i));
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        if (!baseline.needs_gpu() || baseline.precision.fp64)
            continue;
        viz::RungFigures facts{.slug = std::string(baseline.slug),
                               .idea = std::string(baseline.title),
                               .type = std::string(kernels::name_of(baseline.precision.type)),
                               .library = true};
        facts.speeds = baseline_speeds(known, baseline);
        facts.speed = nearest(facts.speeds, board.timed);
        board.rungs.push_back(std::move(facts));
    }
    board.gpu = known.gpu.state();
    board.counting = known.details.counting();
    board.library = known.library;
    board.shapes = known.shapes;
    return board;
}

} // namespace app
