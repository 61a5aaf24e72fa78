#include "app/session/snapshot.h"

#include "app/session/board.h"

#include "app/text/format.h"

#include "viz/text/templates.h"

#include <algorithm>

namespace app {

namespace {

// Which file a slot shows instead of a stage; null: none.
const std::filesystem::path* file_of(const Choice& choice, Slot slot)
{
    const bool is_version = slot == Slot::second && choice.version_before;
    const auto& file = slot == Slot::first || is_version ? choice.file : choice.second_file;
    return file && slot != Slot::third ? &*file : nullptr;
}

viz::Messages status_of(const Snapshot& snapshot, Slot slot, const ShownRecording& shown,
                        std::optional<std::size_t> stage)
{
    const std::filesystem::path* const file = file_of(snapshot.choice, slot);
    switch (shown.state) {
    case ShownRecording::State::reading: return {{"stage.reading", {{"file", file != nullptr ? file->string() : ""}}}};
    case ShownRecording::State::recording: {
        const kernels::Stage& own = snapshot.ladder()[*stage];
        const std::string size = size_text(snapshot.recorded_problem(*stage), own.operation);
        if (!snapshot.found)
            return {{"stage.recording", {{"stage", own.slug}, {"size", size}}}};
        if (!snapshot.gpu())
            return {{"stage.recording_on_cpu", {{"stage", own.slug}, {"size", size}}}};
        return {{"stage.recording_on_gpu",
                 {{"stage", own.slug}, {"size", size}, {"device", snapshot.found->device->name}}}};
    }
    case ShownRecording::State::cancelled: return {{"stage.cancelled"}};
    case ShownRecording::State::failed: return {{"stage.failed", {{"why", shown.why}}}};
    case ShownRecording::State::none:
    case ShownRecording::State::ready: break;
    }
    return {};
}

void show_stage(const Known& known, const Snapshot& snapshot, Slot slot, ShownSlot& result)
{
    const std::size_t stage = *result.in_ladder;
    result.stage.slug = snapshot.ladder()[stage].slug;
    result.stage.idea = snapshot.ladder()[stage].idea;
    const kernels::Stage& of = snapshot.ladder()[stage];
    result.parameters = known.of_slots[static_cast<std::size_t>(slot)];
    const kernels::Job job{&of, result.parameters, snapshot.timed_problem(stage)};
    result.stage.speed = snapshot.is_tiny(stage)
                             ? viz::Speed{recording::Missing::tiny, recording::Missing::tiny}
                             : describe(job, known.measurements.find(named(job)), known.machine).speed;
    result.stage.shipped = snapshot.shipped_figures(stage, result.parameters);
    if (snapshot.choice.before)
        result.stage.variant = changed_text(of, result.parameters, known.of_slots[slot == Slot::first ? 1 : 0]);
}

void show_file(const Snapshot& snapshot, const std::filesystem::path& file, ShownSlot& result)
{
    result.stage.slug = file.filename().string();
    result.stage.speed = {recording::Missing::from_file, recording::Missing::from_file};
    result.in_ladder.reset();
    const RecordingPtr& recording = result.stage.recording;
    if (recording == nullptr)
        return;
    result.stage.slug = recording->stage;
    if (recording->executed) // not the ladder's, though it may be called as one of its rungs
        return;
    result.in_ladder = snapshot.rung(recording->stage);
    if (result.in_ladder)
        result.stage.idea = snapshot.ladder()[*result.in_ladder].idea;
}

viz::Speed speed_of_run(const RunFileResult& run)
{
    if (!run.gflops)
        return {recording::Missing::from_file, recording::Missing::from_file};
    return {{*run.gflops, {.device = run.recorded.recording->device.name}}, recording::Missing::not_asked};
}

// A source that ran: the first, as it is now; the second, as it was.
void show_run(const Snapshot& snapshot, Slot slot, ShownSlot& result)
{
    if (slot == Slot::second && snapshot.choice.version_before)
        result.stage.slug = snapshot.shown[0].stage.slug;
    if (result.run == nullptr)
        return;
    result.stage.speed = speed_of_run(*result.run);
    if (!snapshot.choice.version_before || snapshot.versions.empty())
        return;
    const uint64_t number = slot == Slot::second ? *snapshot.choice.version_before : snapshot.versions.back()->number;
    result.stage.variant = viz::plain({"stage.version", {{"number", viz::index(number)}}});
}

ShownSlot show(const Known& known, const Snapshot& snapshot, Slot slot)
{
    const std::size_t index = static_cast<std::size_t>(slot);
    const ShownRecording& recording = known.recordings.shown(slot);
    ShownSlot result{
        .in_ladder = snapshot.choice.stages[index], .shipped = recording.shipped, .busy = recording.busy()};
    result.stage.recording = recording.recorded.recording;
    result.run = recording.run;
    if (recording.state == ShownRecording::State::failed)
        result.failed = recording.why;
    result.stage.accent = static_cast<viz::Accent>(slot);
    result.stage.status = status_of(snapshot, slot, recording, result.in_ladder);
    if (const std::filesystem::path* file = file_of(snapshot.choice, slot)) {
        if (slot == Slot::first || !snapshot.choice.version_before)
            show_file(snapshot, *file, result);
        show_run(snapshot, slot, result);
    } else if (result.in_ladder) {
        show_stage(known, snapshot, slot, result);
    }
    if (const RecordingPtr& made = result.stage.recording; made != nullptr) {
        result.code = known.details.code_of(made);
        result.counters = known.details.counters_of(made);
        result.instructions = known.details.instructions_of(made);
    }
    return result;
}

} // namespace

const ShownSlot* Snapshot::of(const RecordingPtr& recording) const
{
    for (const ShownSlot& one : shown)
        if (one.stage.recording == recording)
            return &one;
    return nullptr;
}

std::optional<std::size_t> Snapshot::rung(std::string_view slug) const
{
    const auto found = std::ranges::find(ladder(), slug, &kernels::Stage::slug);
    return found == ladder().end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - ladder().begin()));
}

recording::Problem Snapshot::recorded_problem(std::size_t stage) const
{
    return app::recorded_problem(choice, ladder(), stage);
}

recording::Problem Snapshot::timed_problem(std::size_t stage) const
{
    return app::timed_problem(choice.sizes, ladder()[stage].operation);
}

const TimedRow* Snapshot::shipped_speed(std::size_t stage) const
{
    return shipped_row(stage, status[stage].parameters);
}

// One that chooses its parameters by size was timed with those of its choice: they stand for the standard ones.
const TimedRow* Snapshot::shipped_row(std::size_t stage, const kernels::ParameterValues& parameters) const
{
    const ShippedSpeeds& speeds = catalogue->speeds;
    const kernels::Stage& one = ladder()[stage];
    const TimedRow* row = speeds.find(one.slug, parameters);
    if (row != nullptr || one.suited == nullptr || parameters != one.standard_parameters())
        return row;
    const auto chosen = std::ranges::find(speeds.rows, one.slug, &TimedRow::slug);
    return chosen == speeds.rows.end() ? nullptr : &*chosen;
}

viz::Speed Snapshot::shipped_figures(std::size_t stage, const kernels::ParameterValues& parameters) const
{
    const TimedRow* row = shipped_row(stage, parameters);
    if (row == nullptr)
        return {recording::Missing::not_shipped, recording::Missing::not_shipped};
    return speed_of(row->gflops, row->of_cublas, row->timing.median_ms, provenance_of(catalogue->speeds, *row));
}

std::optional<std::size_t> Snapshot::rung_below(std::size_t stage) const
{
    if (const auto built_on = kernels::built_on(ladder(), stage))
        return built_on;
    // One that begins something is compared with the last one before it that does the same: tensor cores with the best that
    // the FMA units reach.
    for (std::size_t before = stage; before-- > 0;)
        if (ladder()[before].operation == ladder()[stage].operation)
            return before;
    // The first of its kind is compared with the next one.
    for (std::size_t after = stage + 1; after < ladder().size(); ++after)
        if (ladder()[after].operation == ladder()[stage].operation)
            return after;
    return {};
}

std::optional<double> Snapshot::cublas_gflops() const
{
    std::optional<double> result;
    for (const StageStatus& one : status)
        if (one.cublas_gflops)
            result = one.cublas_gflops;
    return result;
}

bool Snapshot::busy() const
{
    return std::any_of(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(count()),
                       [](const ShownSlot& one) { return one.busy; });
}

bool Snapshot::measured() const
{
    return found && (!measures || !found->device || std::ranges::all_of(status, [&](const StageStatus& one) {
               return one.verdict == Verdict::right ? !gpu() || one.timed : one.verdict != Verdict::unknown;
           }));
}

Snapshot make_snapshot(const Known& known)
{
    Snapshot snapshot;
    snapshot.choice = known.choice;
    snapshot.stages = known.ladder;
    if (known.machine != nullptr)
        snapshot.found = *known.machine;
    snapshot.catalogue = known.catalogue;
    for (std::size_t i = 0; i < known.ladder->size(); ++i) {
        const kernels::Job job{&snapshot.ladder()[i], known.parameters[i], snapshot.timed_problem(i)};
        snapshot.status.push_back(describe(job, known.measurements.find(named(job)), known.machine));
    }
    if (snapshot.choice.file)
        snapshot.versions = known.history.of(*snapshot.choice.file);
    for (const Slot slot : all_slots)
        snapshot.shown[static_cast<std::size_t>(slot)] = show(known, snapshot, slot);
    if (const SearchState* search = known.search.state())
        snapshot.searched = *search;
    if (const ProgramState* program = known.programs.state())
        snapshot.traced = *program;
    snapshot.counting = known.details.counting();
    snapshot.counting_instructions = known.details.counting_instructions();
    snapshot.looking = known.details.busy();
    snapshot.board = make_board(known, snapshot);
    snapshot.baselines = known.measurements.baselines(snapshot.board.timed);
    return snapshot;
}

} // namespace app
