#include "app/session/snapshot.h"

#include "app/text/format.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

// Returns the file that a column shows instead of a stage; null: none.
const std::filesystem::path* file_of(const Choice& choice, std::size_t column)
{
    const bool is_version = column == 1 && choice.columns[1].version;
    const auto& file = column == 0 || is_version ? choice.columns[0].file : choice.columns[1].file;
    return file && column != 2 ? &*file : nullptr;
}

viz::Rich status_of(const Snapshot& snapshot, std::size_t column, const ShownRecording& shown,
                    std::optional<std::size_t> stage)
{
    const std::filesystem::path* const file = file_of(snapshot.choice, column);
    switch (shown.state) {
    case ShownRecording::State::reading: return viz::rich("Reading {} …", file != nullptr ? file->string() : "");
    case ShownRecording::State::recording: {
        const kernels::Stage& own = snapshot.ladder()[*stage];
        return viz::rich("Recording {} at {}{} …", own.slug,
                         size_text(snapshot.recorded_problem(*stage), own.operation),
                         !snapshot.found   ? ""
                         : !snapshot.gpu() ? " on the CPU"
                                           : " on " + snapshot.found->device->name);
    }
    case ShownRecording::State::cancelled: return viz::rich("The recording was cancelled; press r to make it.");
    case ShownRecording::State::failed: return viz::rich("{}", shown.why);
    case ShownRecording::State::none:
    case ShownRecording::State::ready: break;
    }
    return {};
}

void show_stage(const SnapshotInputs& known, const Snapshot& snapshot, viz::StageColumn& column, ColumnDetails& details)
{
    const std::size_t stage = *details.in_ladder;
    column.slug = snapshot.ladder()[stage].slug;
    column.idea = snapshot.ladder()[stage].idea;
    const kernels::Stage& of = snapshot.ladder()[stage];
    details.parameters = known.of_columns[column.number];
    const kernels::Job job{&of, details.parameters, snapshot.timed_problem(stage)};
    column.speed = snapshot.is_tiny(stage) ? viz::Speed{recording::Missing::tiny, recording::Missing::tiny}
                                           : describe(job, known.measurements.find(job), known.machine).speed;
    column.shipped = snapshot.shipped_figures(stage, details.parameters);
    if (snapshot.choice.columns[1].parameters)
        column.variant = changed_text(of, details.parameters, known.of_columns[column.number == 0 ? 1 : 0]);
}

void show_file(const Snapshot& snapshot, const std::filesystem::path& file, viz::StageColumn& column,
               ColumnDetails& details)
{
    column.slug = file.filename().string();
    column.speed = {recording::Missing::from_file, recording::Missing::from_file};
    details.in_ladder.reset();
    const RecordingPtr& recording = column.recording;
    if (recording == nullptr)
        return;
    column.slug = recording->stage;
    if (recording->executed) // a program's kernel is not in the ladder, even if it has the name of a stage
        return;
    details.in_ladder = snapshot.rung(recording->stage);
    if (details.in_ladder)
        column.idea = snapshot.ladder()[*details.in_ladder].idea;
}

viz::Speed speed_of_run(const RunFileResult& run)
{
    if (!run.gflops)
        return {recording::Missing::from_file, recording::Missing::from_file};
    return {{*run.gflops, {.device = run.recorded.recording->device.name}}, recording::Missing::not_asked};
}

// Fills in the run of a source: the current one in column 0, and the compared version in column 1.
void show_run(const Snapshot& snapshot, viz::StageColumn& column, ColumnDetails& details)
{
    if (column.number == 1 && snapshot.choice.columns[1].version)
        column.slug = snapshot.columns[0].slug;
    if (details.run == nullptr)
        return;
    column.speed = speed_of_run(*details.run);
    if (!snapshot.choice.columns[1].version || snapshot.versions.empty())
        return;
    const uint64_t number = column.number == 1 ? *snapshot.choice.columns[1].version : snapshot.versions.back()->number;
    column.variant = fmt::format("version {}", number);
}

void show(const SnapshotInputs& known, Snapshot& snapshot, std::size_t number)
{
    const ShownRecording& recording = known.recordings.shown(number);
    viz::StageColumn column{.number = number};
    ColumnDetails details{
        .in_ladder = snapshot.choice.columns[number].rung, .shipped = recording.shipped, .busy = recording.busy()};
    column.recording = recording.recorded.recording;
    details.run = recording.run;
    if (recording.state == ShownRecording::State::failed)
        details.failed = recording.why;
    column.status = status_of(snapshot, number, recording, details.in_ladder);
    if (const std::filesystem::path* file = file_of(snapshot.choice, number)) {
        if (number == 0 || !snapshot.choice.columns[1].version)
            show_file(snapshot, *file, column, details);
        show_run(snapshot, column, details);
    } else if (details.in_ladder) {
        show_stage(known, snapshot, column, details);
    }
    if (const RecordingPtr& made = column.recording; made != nullptr) {
        details.code = known.details.code_of(made);
        details.counters = known.details.counters_of(made);
        details.instructions = known.details.instructions_of(made);
    }
    snapshot.columns.push_back(std::move(column));
    snapshot.details.push_back(std::move(details));
}

MainState main_of(MainAnswer answer, const ShownRecording& shown)
{
    MainState state{.answer = answer};
    if (answer != MainAnswer::yes)
        return state;
    state.busy = shown.busy();
    state.stopped = shown.state == ShownRecording::State::cancelled;
    state.progress = shown.progress;
    if (shown.state == ShownRecording::State::failed)
        state.failed = shown.why;
    if (shown.run != nullptr && shown.run->main)
        state.run = shown.run;
    return state;
}

} // namespace

const ColumnDetails* Snapshot::of(const RecordingPtr& recording) const
{
    const auto found = std::ranges::find(columns, recording, &viz::StageColumn::recording);
    return found == columns.end() ? nullptr : &details[static_cast<std::size_t>(found - columns.begin())];
}

std::span<const viz::StageColumn> Snapshot::recorded() const
{
    const auto missing = std::ranges::find(columns, nullptr, &viz::StageColumn::recording);
    return {columns.begin(), missing};
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

// Finds the shipped timing. A stage that chooses its parameters by size was timed with the parameters it chose. That
// timing stands in for the standard parameters.
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
    // Without such a stage, compares with the last earlier stage of the same operation: for example tensor cores with
    // the best FMA stage.
    for (std::size_t before = stage; before-- > 0;)
        if (ladder()[before].operation == ladder()[stage].operation)
            return before;
    // The first stage of an operation is compared with the next one.
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

bool Snapshot::measured() const
{
    return found && (!measures || !found->device || std::ranges::all_of(status, [&](const StageStatus& one) {
               return one.verdict == Verdict::right ? !gpu() || one.timed : one.verdict != Verdict::unknown;
           }));
}

Snapshot make_snapshot(const SnapshotInputs& known)
{
    Snapshot snapshot;
    snapshot.choice = known.choice;
    snapshot.standard = known.standard;
    snapshot.stages = known.ladder;
    if (known.machine != nullptr)
        snapshot.found = *known.machine;
    snapshot.catalogue = known.catalogue;
    for (std::size_t i = 0; i < known.ladder->size(); ++i) {
        const kernels::Job job{&snapshot.ladder()[i], known.parameters[i], snapshot.timed_problem(i)};
        snapshot.status.push_back(describe(job, known.measurements.find(job), known.machine));
    }
    if (snapshot.choice.columns[0].file)
        snapshot.versions = known.history.of(*snapshot.choice.columns[0].file);
    for (std::size_t column = 0; column < snapshot.choice.shown_columns(); ++column)
        show(known, snapshot, column);
    if (const SearchState* search = known.search.state())
        snapshot.searched = *search;
    if (const ProgramState* program = known.programs.state())
        snapshot.traced = *program;
    snapshot.main = main_of(known.main, known.recordings.shown(0));
    snapshot.counting = known.details.counting();
    snapshot.counting_instructions = known.details.counting_instructions();
    snapshot.looking = known.details.busy();
    snapshot.ladder_facts = make_ladder_facts(known, snapshot);
    snapshot.baselines = known.measurements.baselines(snapshot.ladder_facts.timed);
    return snapshot;
}

} // namespace app
