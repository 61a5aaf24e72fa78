#include "app/panels/navigation.h"

#include "app/learn/quiz_file.h"
#include "app/panels/derive.h"

#include "error.h"
#include "gemm/size.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

// Returns the parameters that differ from the standard ones, or all of them.
kernels::NamedTexts chosen(const kernels::Stage& stage, const kernels::ParameterValues& values,
                           const kernels::ParameterValues& standard, bool all)
{
    kernels::NamedTexts result;
    for (std::size_t i = 0; i < stage.parameters.size() && i < values.size(); ++i)
        if (all || values[i] != standard[i])
            result.emplace_back(stage.parameters[i].name, std::to_string(values[i]));
    return result;
}

// Returns the parameters of the stage in a column.
kernels::NamedTexts parameters_of(const Snapshot& snapshot, std::size_t column, std::size_t stage)
{
    const kernels::Stage& of = snapshot.ladder()[stage];
    const bool tiny = snapshot.is_tiny(stage);
    return chosen(of, snapshot.details[column].parameters, tiny ? of.tiny->parameters : of.standard_parameters(),
                  tiny || (column == 1 && snapshot.choice.columns[1].parameters));
}

void add_sizes(const Snapshot& snapshot, std::size_t stage, Patch& patch)
{
    const kernels::Operation operation = snapshot.ladder()[stage].operation;
    const recording::Problem shown = snapshot.recorded_problem(stage);
    const Sizes &sizes = snapshot.choice.sizes, standard;
    const bool chosen =
        snapshot.is_tiny(stage)                          ? sizes.tiny.has_value()
        : operation == kernels::Operation::vector_add    ? sizes.recorded_elements != standard.recorded_elements
        : operation == kernels::Operation::thread_coords ? sizes.recorded_threads != standard.recorded_threads
                                                         : sizes.recorded.has_value();
    if (chosen)
        patch.size = kernels::size_name(shown, operation);
    const recording::Problem timed = snapshot.timed_problem(stage);
    const recording::Problem usually = timed_problem(standard, operation);
    if (timed.M != usually.M || timed.N != usually.N || timed.K != usually.K)
        patch.timed = kernels::size_name(timed, operation);
    patch.alpha = sizes.alpha;
    patch.beta = sizes.beta;
}

void add_selection(const State& state, Patch& patch)
{
    const viz::Selection& selection = state.at.selection;
    patch.warp = selection.warp;
    patch.lane = selection.lane;
    patch.line = selection.line.value_or(0);
    patch.c = selection.c;
    if (state.tracks.front().steps() > 0)
        patch.step = selection.step;
    for (std::size_t i = 1; i < viz::most_columns; ++i)
        // The stages race.
        if (selection.has_own_step(i) && selection.step_of(i) != like_beside(state, state.tracks[i]))
            patch.time = state.playback.time();
    patch.clock = state.at.clock;
    if (state.tracks.front().block() != nullptr)
        patch.block = state.tracks.front().block()->block;
}

// Adds the compared version of the file as a packed file with its text, because the version has no file on disk.
void add_version(const Snapshot& snapshot, SavedState& saved)
{
    const Choice& choice = snapshot.choice;
    if (!choice.columns[0].file || !choice.columns[1].version)
        return;
    const auto found = std::ranges::find_if(
        snapshot.versions, [&](const FileVersionPtr& one) { return one->number == *choice.columns[1].version; });
    if (found == snapshot.versions.end() || !(*found)->parameters.empty())
        return;
    saved.patch.columns[1].file = choice.columns[0].file->parent_path() /
                                  (choice.columns[0].file->stem().string() + "_" + std::to_string((*found)->number) +
                                   choice.columns[0].file->extension().string());
    saved.packed_second = (*found)->text;
}

// Shows the patch's code view. A patch without one restores the view before the last change.
void show_code(State& state, std::optional<CodeView> code)
{
    if (code) {
        if (!state.code_before)
            state.code_before = state.at.code;
        state.at.code = *code;
    } else if (state.code_before) {
        state.at.code = *std::exchange(state.code_before, std::nullopt);
    }
}

// Applies everything except the selection, which follows when the recordings are available.
void begin_arrival(Session& session, State& state, Arrival arrival, bool undoable)
{
    const auto choose = [&](Choice& choice) { choice = arrival.workspace.choice; };
    undoable ? state.change(choose) : choose(state.at.choice);
    Location to = arrival.workspace;
    if (state.index_of_view(to.view) == state.views.size())
        to.view = state.at.view; // keeps the current view if the requested one does not exist
    to.page = state.at.page;     // leave_pages() closes it; the caller may open another page
    static_cast<Location&>(state.at) = std::move(to);
    leave_pages(session, state);
    show_code(state, arrival.patch ? arrival.patch->code : std::nullopt);
    state.playback.stop();
    state.learning.stop_at.reset();
    state.learning.arrival = std::move(arrival);
}

// Restores the lesson or quiz of the patch.
void show_learning(State& state, const Patch& patch)
try {
    if (patch.quiz.empty())
        state.learning.quiz.reset();
    if (patch.quiz.empty() && patch.lesson.empty())
        state.learning.before.reset();
    if (patch.lesson.empty()) {
        state.learning.lesson.reset();
    } else {
        const auto [lesson, step] = lesson_at(patch.lesson, true); // the lesson may have become shorter
        take_up_lesson(state, *lesson, step);
    }
    if (!patch.quiz.empty())
        take_up_quiz(state, parse_quiz_place(patch.quiz));
} catch (const kernels::Error& error) {
    state.notice = error.what();
}

} // namespace

SnapshotPtr snapshot_of(Session& session, State& state)
{
    session.follow(state.at.choice, state.history);
    return session.snapshot();
}

Workspace current_workspace(const State& state)
{
    Workspace workspace = state.at;
    if (!state.views.empty()) // a session without a window has no views
        workspace.arranged = state.view().options();
    return workspace;
}

Patch patch_of(const Snapshot& snapshot, const State& state)
{
    const Choice& choice = snapshot.choice;
    Patch patch;
    auto& [first, second, third] = patch.columns;
    static_cast<Location&>(patch) = current_workspace(state);
    if (patch.page == Page::candidates && (snapshot.search() == nullptr || snapshot.search()->running))
        patch.page = Page::none; // the results of a running search are not known yet
    patch.tiny = choice.tiny;
    patch.inputs = choice.inputs;
    patch.as_written = choice.as_written;
    if (const std::optional<std::size_t> rung = choice.columns[0].rung) {
        first.stage = snapshot.ladder()[*rung].slug;
        patch.here = choice.recorded_here.contains(*rung);
        add_sizes(snapshot, *rung, patch);
        if (!choice.columns[0].file)
            first.parameters = parameters_of(snapshot, 0, *rung);
    }
    if (choice.columns[0].file) {
        first.file = *choice.columns[0].file;
        for (const recording::Parameter& one : choice.columns[0].file_parameters)
            first.parameters.emplace_back(one.name, std::to_string(one.value));
    }
    if (choice.columns[1].file && !choice.columns[1].version)
        second.file = *choice.columns[1].file;
    for (std::size_t i = 1; i < choice.shown_columns(); ++i)
        if (const std::optional<std::size_t> rung = choice.columns[i].rung) {
            patch.columns[i].stage = snapshot.ladder()[*rung].slug;
            patch.columns[i].parameters = parameters_of(snapshot, i, *rung);
        }
    add_selection(state, patch);
    return patch;
}

SavedState saved_state(const Snapshot& snapshot, const State& state)
{
    SavedState saved{.patch = patch_of(snapshot, state), .packed = {}, .packed_second = {}};
    add_version(snapshot, saved);
    if (state.at.code != CodeView::words)
        saved.patch.code = state.at.code;
    saved.patch.panels = state.at.panels;
    if (const auto& lesson = state.learning.lesson)
        saved.patch.lesson = text_of(*lesson->lesson, lesson->step);
    if (const auto& quiz = state.learning.quiz)
        saved.patch.quiz = text_of(static_cast<const QuizPlace&>(*quiz));
    return saved;
}

bool navigate(Session& session, State& state, const Patch& patch, NavigationOptions how)
try {
    const std::vector<kernels::Stage>& ladder = *session.snapshot()->stages;
    begin_arrival(session, state, {with(current_workspace(state), patch, ladder), patch, how.plays}, how.undoable);
    state.learning.arrived.reset();
    state.open(patch.page);
    if (patch.page == Page::candidates) {
        state.at.panels.space = patch.panels.space; // part of what the page shows
        if (const auto stage = snapshot_of(session, state)->leading_rung())
            session.show_shipped_search(*stage);
    }
    return true;
} catch (const kernels::Error& error) {
    state.notice = error.what();
    return false;
}

void navigate(Session& session, State& state, const Workspace& workspace, NavigationOptions how)
{
    begin_arrival(session, state, {workspace, {}, how.plays}, how.undoable);
}

void show(Session& session, State& state, const Patch& patch)
{
    if (!navigate(session, state, patch))
        return;
    state.at.panels = patch.panels;
    state.at.code = patch.code.value_or(CodeView::words);
    state.code_before.reset();
    show_learning(state, patch);
    Patch nothing_else;
    nothing_else.lesson = patch.lesson;
    if (state.learning.lesson && patch == nothing_else) // a link that names only a lesson shows what the lesson shows
        return show_lesson_step(session, state, state.learning.lesson->step);
    state.open(patch.page); // last, because starting a quiz closes the page
}

void leave_pages(Session& session, State& state)
{
    state.open(Page::none);
    if (const SearchState* search = session.snapshot()->search(); search != nullptr && !search->running)
        session.leave_search();
}

bool is_where_it_arrived(const State& state)
{
    return state.learning.arrival || !state.learning.arrived ||
           current_workspace(state).is_where(*state.learning.arrived);
}

void compare_by_default(const Snapshot& now, State& state)
{
    auto& stages = state.default_comparison.stages;
    Learning& learning = state.learning;
    if (learning.before)
        state.default_comparison.take_from(learning.before->choice);
    if (learning.arrival)
        return stages.reset(); // a patch states itself what it compares
    const auto& columns = state.at.choice.columns;
    if (stages && (columns[1].rung != stages->second || columns[2].rung))
        stages.reset(); // the user chose another comparison
    const std::optional<std::size_t> first = now.leading_rung();
    const bool wanted = state.view().compares() && first && !columns[1].file;
    std::optional<std::size_t> second = columns[1].rung;
    if (stages && (!wanted || stages->first != *first)) {
        second.reset();
        stages.reset();
    }
    if (wanted && !second)
        if (second = now.rung_below(*first); second)
            stages = {*first, *second};
    if (second != columns[1].rung)
        state.at.choice.compare(second);
}

} // namespace app
