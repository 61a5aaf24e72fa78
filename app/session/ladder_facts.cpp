#include "app/session/snapshot.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace app {

namespace {

double volume(const recording::Problem& problem)
{
    return double{1} * problem.M * problem.N * problem.K;
}

// Speeds, ascending by size. Of two speeds at one size the first one stays.
using KnownSpeed = recording::Measured<viz::SpeedAt>;

void add_speed(std::vector<KnownSpeed>& speeds, const viz::SpeedAt& speed, recording::Provenance from)
{
    const auto place = std::ranges::lower_bound(speeds, volume(speed.problem), {},
                                                [](const KnownSpeed& one) { return volume(one->problem); });
    if (place == speeds.end() || volume((*place)->problem) != volume(speed.problem))
        speeds.insert(place, KnownSpeed(speed, std::move(from)));
}

KnownSpeed nearest(const std::vector<KnownSpeed>& speeds, const recording::Problem& wanted, recording::Reason why_none)
{
    const auto distance = [&](const KnownSpeed& one) {
        return std::abs(std::log(volume(one->problem) / volume(wanted)));
    };
    const auto found = std::ranges::min_element(speeds, {}, distance);
    return found == speeds.end() ? KnownSpeed(std::move(why_none)) : *found;
}

// Selects speeds of a stage. Shipped speeds are used only if there is no GPU. `standard` means that `parameters` are
// the stage's own choice. The speeds shipped for other sizes were measured with such parameters.
struct SpeedsOf {
    std::string_view slug;
    const kernels::ParameterValues& parameters;
    bool standard;
    bool suited = false; // the stage chooses its parameters by size; its large timings were made with that choice
};

void add_shipped(const SnapshotInputs& known, const SpeedsOf& of, std::vector<KnownSpeed>& speeds)
{
    if (known.machine == nullptr || known.machine->gpu())
        return;
    const ShippedSpeeds& shipped = known.catalogue->speeds;
    for (const auto* rows : {&shipped.rows, &shipped.by_size})
        for (const TimedRow& row : *rows)
            if (row.slug == of.slug && row.gflops &&
                (row.parameters == of.parameters || (of.standard && (of.suited || rows == &shipped.by_size))))
                add_speed(speeds, {row.problem, *row.gflops, row.total_error}, provenance_of(shipped, row));
}

std::vector<KnownSpeed> stage_speeds(const SnapshotInputs& known, const kernels::Stage& stage,
                                     const kernels::ParameterValues& parameters)
{
    std::vector<KnownSpeed> speeds;
    for (const Measurement& one : known.measurements.timed_of({&stage, parameters, {}})) {
        const kernels::Job job{&stage, parameters, one.job.problem};
        if (const StageStatus status = describe(job, one, known.machine); status.speed.gflops)
            add_speed(speeds, {job.problem, *status.speed.gflops}, status.speed.gflops.from());
    }
    add_shipped(known, {stage.slug, parameters, stage.standard_parameters() == parameters, stage.suited != nullptr},
                speeds);
    return speeds;
}

std::vector<KnownSpeed> baseline_speeds(const SnapshotInputs& known, const kernels::Baseline& baseline)
{
    std::vector<KnownSpeed> speeds;
    for (const BaselineMeasurement& one : known.measurements.all_baselines())
        if (one.baseline == &baseline && one.result && one.result->right())
            add_speed(speeds, {one.problem, one.result->gflops, one.result->total_error},
                      {.device = known.machine != nullptr ? known.machine->device->name : std::string(),
                       .problem = one.problem,
                       .samples = static_cast<uint32_t>(std::max(one.result->timing.samples, 0))});
    add_shipped(known, {baseline.slug, {}, false}, speeds);
    return speeds;
}

// Adds the counters that this machine's GPU read for a shown recording, and the shipped counters, also of other sizes.
void add_counters(const SnapshotInputs& known, const Snapshot& snapshot, const kernels::Stage& stage,
                  const kernels::ParameterValues& parameters, viz::StageFacts& facts)
{
    facts.counted = known.catalogue->counters.of(stage, parameters);
    facts.run = known.catalogue->counters.run_of(stage, parameters);
    if (snapshot.found && !snapshot.gpu()) {
        const recording::Reasons& not_shipped = known.catalogue->counters.missing;
        facts.not_counted = {{recording::Missing::no_gpu, {snapshot.found->why_no_gpu}}};
        facts.not_counted.insert(facts.not_counted.end(), not_shipped.begin(), not_shipped.end());
    }
    for (std::size_t i = 0; i < snapshot.columns.size(); ++i) {
        const RecordingPtr& made = snapshot.columns[i].recording;
        const ColumnDetails& shown = snapshot.details[i];
        const bool counted_here = made != nullptr && made->stage == facts.slug && snapshot.gpu() &&
                                  shown.instructions != nullptr && shown.instructions->run != nullptr &&
                                  made->parameters == kernels::named(stage, parameters);
        // A profile without samples does not replace a shipped one with samples.
        if (counted_here && (shown.instructions->run->samples || !facts.run || !facts.run->run->samples))
            facts.run =
                viz::CountedRun{shown.instructions->run,
                                made->problem,
                                {.how = recording::How::counted, .device = shown.instructions->counters->device.name}};
        const CountersPtr own =
            made != nullptr && made->stage == facts.slug && snapshot.gpu() ? shown.counters : nullptr;
        if (own == nullptr)
            continue;
        facts.not_counted = own->missing;
        if (!own->counters)
            continue;
        std::erase_if(facts.counted, [&](const auto& one) { return one.problem == made->problem; });
        facts.counted.push_back(hardware_figures({&stage, parameters, made->problem}, *own->counters));
        facts.counted.back().from = {.how = recording::How::counted, .device = own->counters->device.name};
    }
    std::ranges::sort(facts.counted, {}, &viz::HardwareFigures::least_read);
}

void add_shipped_launch(const ShippedLaunch& shipped, viz::StageFacts& facts)
{
    facts.traffic = shipped.traffic;
    facts.tile = shipped.tile;
    facts.launch = shipped.launch;
    facts.tall = shipped.tall;
    if (shipped.resources)
        facts.launched->resources = *shipped.resources;
}

// Adds facts of a shown recording. They replace the shipped ones unless those are of a larger size.
void add_shown(const SnapshotInputs& known, const Snapshot& snapshot, const kernels::Stage& stage,
               viz::StageFacts& facts)
{
    for (std::size_t column = 0; column < snapshot.columns.size(); ++column) {
        const ShownRecording& shown = known.recordings.shown(column);
        const Recorded& made = shown.recorded;
        if (made.recording == nullptr || made.recording->stage != stage.slug ||
            made.recording->parameters != facts.parameters)
            continue;
        if (made.recording->resources)
            facts.launched->resources = *made.recording->resources;
        if (!facts.tile)
            facts.tile = made.tile;
        if (!facts.traffic || volume(facts.traffic->problem) < volume(made.traffic.problem)) {
            facts.traffic = {made.traffic, recording::provenance_of(*made.recording, snapshot.shows_shipped(column))};
        }
    }
}

viz::StageFacts stage_facts(const SnapshotInputs& known, const Snapshot& snapshot, std::size_t index)
{
    const kernels::Stage& stage = snapshot.ladder()[index];
    const StageStatus& status = snapshot.stage(index);
    const recording::Problem timed = snapshot.timed_problem(index);
    viz::StageFacts facts{.slug = std::string(stage.slug), .idea = std::string(stage.idea)};
    facts.builds_on = stage.builds_on;
    facts.type = kernels::name_of(stage.type(status.parameters));
    if (!status.refuted())
        facts.speeds = stage_speeds(known, stage, status.parameters);
    facts.speed =
        nearest(facts.speeds, timed,
                status.speed.gflops ? recording::Reason{recording::Missing::not_asked} : status.speed.gflops.missing());
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

void add(const BaselineMeasurement& traced, viz::LibraryKernels& kernels)
{
    const kernels::Baseline& baseline = *traced.baseline;
    if (!baseline.needs_gpu() || (traced.kernels.empty() && traced.kernels_missing.empty()))
        return;
    kernels.missing.clear();
    if (traced.kernels.empty()) {
        kernels.missing = {{recording::Missing::failed, {traced.kernels_missing}}};
        return;
    }
    const std::string slug(baseline.slug);
    std::erase_if(kernels.rows, [&](const auto& row) {
        const recording::Problem& own = row.at.problem;
        return row.slug == slug && own.M == traced.problem.M && own.N == traced.problem.N && own.K == traced.problem.K;
    });
    kernels.rows.push_back(
        {slug,
         std::string(kernels::name_of(baseline.precision.type)),
         {traced.problem, traced.kernels, {.how = recording::How::recorded, .device = kernels.device}}});
}

} // namespace

viz::LadderFacts make_ladder_facts(const SnapshotInputs& known, const Snapshot& snapshot)
{
    viz::LadderFacts ladder_facts{.timed = timed_problem(known.choice.sizes, kernels::Operation::gemm)};
    for (std::size_t i = 0; i < known.ladder->size(); ++i)
        ladder_facts.rungs.push_back(stage_facts(known, snapshot, i));
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        if (!baseline.needs_gpu() || baseline.precision.fp64)
            continue;
        viz::StageFacts facts{.slug = std::string(baseline.slug),
                              .idea = std::string(baseline.title),
                              .type = std::string(kernels::name_of(baseline.precision.type)),
                              .library = true};
        facts.speeds = baseline_speeds(known, baseline);
        facts.speed = nearest(facts.speeds, ladder_facts.timed, {recording::Missing::not_asked});
        ladder_facts.rungs.push_back(std::move(facts));
    }
    ladder_facts.gpu = known.gpu.state();
    ladder_facts.pattern = known.gpu.pattern();
    ladder_facts.counting = known.details.counting();
    ladder_facts.library = known.library;
    ladder_facts.shapes = std::shared_ptr<const viz::Shapes>(known.catalogue, &known.catalogue->shapes);
    ladder_facts.random_shapes =
        std::shared_ptr<const viz::RandomShapes>(known.catalogue, &known.catalogue->random_shapes);
    ladder_facts.warps = std::shared_ptr<const viz::WatchedStages>(known.catalogue, &known.catalogue->warps);
    ladder_facts.cache_hints = std::shared_ptr<const viz::CacheHints>(known.catalogue, &known.catalogue->cache_hints);
    return ladder_facts;
}

std::shared_ptr<const viz::LibraryKernels> library_kernels(const CataloguePtr& catalogue, const MachineFacts* machine,
                                                           std::span<const BaselineMeasurement> traced)
{
    const viz::LibraryKernels& shipped = catalogue->library;
    if (machine == nullptr || !machine->gpu())
        return {catalogue, &shipped};
    viz::LibraryKernels own = shipped.device == machine->device->name ? shipped : viz::LibraryKernels();
    own.device = machine->device->name;
    own.compute_capability = machine->device->compute_capability;
    own.sm_count = machine->device->sm_count;
    own.missing = {{recording::Missing::after_timing}};
    for (const BaselineMeasurement& one : traced)
        add(one, own);
    return std::make_shared<const viz::LibraryKernels>(std::move(own));
}

} // namespace app
