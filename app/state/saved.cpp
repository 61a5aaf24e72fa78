#include "app/state/saved.h"

#include "app/catalogue/config_folder.h"
#include "app/state/places.h"
#include "app/state/position.h"
#include "app/state/study.h"

#include "viz/text/templates.h"

#include "gemm/size.h"
#include "recording/disk.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

using Named = std::vector<std::pair<std::string, std::string>>;

// Those that are not what the stage has by itself.
Named chosen(const kernels::Stage& stage, const kernels::ParameterValues& values,
             const kernels::ParameterValues& standard, bool all)
{
    Named result;
    for (std::size_t i = 0; i < stage.parameters.size() && i < values.size(); ++i)
        if (all || values[i] != standard[i])
            result.emplace_back(stage.parameters[i].name, std::to_string(values[i]));
    return result;
}

// Of the stage in a column.
Named parameters_of(const Snapshot& snapshot, std::size_t column, std::size_t stage)
{
    const kernels::Stage& of = snapshot.ladder()[stage];
    const bool tiny = snapshot.is_tiny(stage);
    return chosen(of, snapshot.details[column].parameters, tiny ? of.tiny->parameters : of.standard_parameters(),
                  tiny || (column == 1 && snapshot.choice.before));
}

void add_sizes(const Snapshot& snapshot, std::size_t stage, Place& place)
{
    const kernels::Operation operation = snapshot.ladder()[stage].operation;
    const recording::Problem shown = snapshot.recorded_problem(stage);
    const bool tiny = snapshot.is_tiny(stage);
    const recording::Problem usual =
        tiny ? snapshot.ladder()[stage].tiny->problem
             : kernels::used_part(operation,
                                  kernels::parse_size(std::string(kernels::facts(operation).small_size), operation));
    if (shown.M != usual.M || shown.N != usual.N || shown.K != usual.K)
        place.size = kernels::size_name(shown, operation);
    const recording::Problem timed = snapshot.timed_problem(stage);
    const recording::Problem usually = timed_problem(Sizes(), operation);
    if (timed.M != usually.M || timed.N != usually.N || timed.K != usually.K)
        place.timed = kernels::size_name(timed, operation);
    place.alpha = snapshot.choice.sizes.recorded.alpha;
    place.beta = snapshot.choice.sizes.recorded.beta;
}

void add_selection(const State& state, Place& place)
{
    const viz::Selection& selection = state.selection;
    place.warp = selection.warp;
    place.lane = selection.lane;
    place.line = selection.line.value_or(0);
    place.c = selection.c;
    if (state.tracks.front().steps() > 0)
        place.step = selection.step;
    for (std::size_t i = 1; i < viz::most_columns; ++i)
        if (selection.has_own_step(i) && selection.step_of(i) != like_beside(state, state.tracks[i])) // they race
            place.time = state.playback.time();
    if (state.unit)
        place.clock = viz::name(*state.unit);
    if (state.tracks.front().block() != nullptr)
        place.block = state.tracks.front().block()->block;
}

std::string code_name(CodeView code)
{
    switch (code) {
    case CodeView::machine: return "machine";
    case CodeView::ptx: return "ptx";
    case CodeView::counters: return "counters";
    case CodeView::off: break;
    }
    return "";
}

// The version of the file that stands beside it, as a file of its own: of its text, for that lies nowhere.
void add_version(const Snapshot& snapshot, SavedState& saved)
{
    const Choice& choice = snapshot.choice;
    if (!choice.file || !choice.version_before)
        return;
    const auto found = std::ranges::find_if(
        snapshot.versions, [&](const FileVersionPtr& one) { return one->number == *choice.version_before; });
    if (found == snapshot.versions.end() || !(*found)->parameters.empty())
        return;
    saved.place.second_file =
        choice.file->parent_path() /
        (choice.file->stem().string() + "_" + std::to_string((*found)->number) + choice.file->extension().string());
    saved.packed_second = (*found)->text;
}

std::string page_name(const State& state)
{
    return state.help                  ? "keys"
           : state.learning.first_page ? "first"
           : state.learning.page       ? "learn"
           : state.counters.open       ? "counters"
                                       : "";
}

void open_page(State& state, const std::string& name)
{
    state.help = name == "keys";
    state.learning.first_page = name == "first";
    state.learning.page = name == "learn";
    state.counters.open = name == "counters";
}

// Where the lesson or the quiz is.
void show_learning(const Snapshot& snapshot, State& state, const SavedState& saved)
{
    if (!saved.quiz)
        state.learning.quiz.reset();
    if (saved.lesson.empty())
        state.learning.lesson.reset();
    else if (const Lesson* lesson = shipped_lessons().find(saved.lesson))
        take_up_lesson(snapshot, state, *lesson, saved.lesson_step);
    else
        state.notice = viz::plain({"session.no_lesson", {{"lesson", saved.lesson}}});
    if (saved.quiz)
        take_up_quiz(snapshot, state, *saved.quiz);
}

} // namespace

CodeView code_named(std::string_view name)
{
    for (const CodeView code : {CodeView::machine, CodeView::ptx, CodeView::counters})
        if (name == code_name(code))
            return code;
    return CodeView::off;
}

Place place_of(const Snapshot& snapshot, const State& state)
{
    const Choice& choice = snapshot.choice;
    Place place;
    place.view = state.views[state.view]->name();
    if (state.claims.open || state.counters.open)
        place.page = state.claims.open                                    ? "sources"
                     : state.counters.columns == CounterColumns::accuracy ? "accuracy"
                                                                          : "counters";
    else if (const SearchState* search = snapshot.search(); search != nullptr && !search->running)
        place.page = "candidates";
    place.tiny = choice.tiny;
    place.inputs = choice.inputs;
    if (const std::optional<std::size_t> first = choice.stages[0]) {
        place.stage = snapshot.ladder()[*first].slug;
        place.here = choice.recorded_here.contains(*first);
        add_sizes(snapshot, *first, place);
        if (!choice.file)
            place.parameters = parameters_of(snapshot, 0, *first);
    }
    if (choice.file) {
        place.file = *choice.file;
        for (const recording::Parameter& one : choice.file_parameters)
            place.parameters.emplace_back(one.name, std::to_string(one.value));
    }
    if (const std::optional<std::size_t> second = choice.stages[1]) {
        place.compare = snapshot.ladder()[*second].slug;
        place.second_parameters = parameters_of(snapshot, 1, *second);
    }
    if (choice.second_file && !choice.version_before)
        place.second_file = *choice.second_file;
    if (const std::optional<std::size_t> third = choice.stages[2]; third && choice.comparing()) {
        place.third = snapshot.ladder()[*third].slug;
        place.third_parameters = parameters_of(snapshot, 2, *third);
    }
    add_selection(state, place);
    place.arranged = state.views[state.view]->options();
    return place;
}

SavedState saved_state(const Snapshot& snapshot, const State& state)
{
    SavedState saved{.place = place_of(snapshot, state)};
    add_version(snapshot, saved);
    if (const auto& lesson = state.learning.lesson) {
        saved.lesson = lesson->lesson->slug;
        saved.lesson_step = lesson->step;
    }
    if (const auto& quiz = state.learning.quiz)
        saved.quiz = QuizPlace{
            .wanted = quiz->wanted, .title = quiz->title, .at = quiz->at, .right = quiz->right, .chosen = quiz->chosen};
    const Settings& settings = state.settings;
    saved.panels = {.ladder = settings.ladder_open,
                    .source = settings.source_open,
                    .card = settings.card_open,
                    .ladder_width = settings.ladder_width,
                    .source_width = settings.source_width,
                    .source_column = state.source_column,
                    .speeds = state.questions,
                    .hides_times = state.presenting.hides_times,
                    .code = code_name(state.code),
                    .page = page_name(state)};
    return saved;
}

void show(Session& session, State& state, const SavedState& saved)
{
    go_to(session, state, saved.place);
    if (!state.notice.empty())
        return;
    Settings& settings = state.settings;
    settings.ladder_open = saved.panels.ladder;
    settings.source_open = saved.panels.source;
    settings.card_open = saved.panels.card;
    settings.ladder_width = saved.panels.ladder_width;
    settings.source_width = saved.panels.source_width;
    state.source_column = saved.panels.source_column;
    state.questions = saved.panels.speeds;
    state.presenting.hides_times = saved.panels.hides_times;
    state.code = code_named(saved.panels.code);
    show_learning(*session.snapshot(), state, saved);
    open_page(state, saved.panels.page);
}

void StateFiles::wish(std::function<Outcome()> work)
{
    waiting_.push_back(std::move(work));
    begin();
}

void StateFiles::begin()
{
    if (work_ != nullptr || waiting_.empty())
        return;
    work_ = std::make_unique<Background<Outcome>>(
        [next = std::move(waiting_.front())](const std::stop_token&) -> Outcome {
            try {
                return next();
            } catch (const std::exception& error) {
                return {error.what(), {}, {}};
            }
        },
        wake_);
    waiting_.pop_front();
}

void StateFiles::save(SavedState state, std::filesystem::path file, bool packs)
{
    wish([state = std::move(state), file = std::move(file), packs]() -> Outcome {
        write_state(state, file, packs);
        return {viz::plain({"session.saved", {{"file", file.string()}}}), file, {}};
    });
}

void StateFiles::open(std::filesystem::path file)
{
    wish([file = std::move(file)]() -> Outcome { return {{}, file, read_state(file, unpacked_folder())}; });
}

void StateFiles::write(std::string text, std::filesystem::path file)
{
    wish([text = std::move(text), file = std::move(file)]() -> Outcome {
        recording::write_atomically(file, text);
        return {viz::plain({"session.saved", {{"file", file.string()}}}), {}, {}};
    });
}

std::optional<StateFiles::Outcome> StateFiles::take()
{
    if (work_ == nullptr || work_->get() == nullptr)
        return {};
    Outcome outcome = *work_->get();
    work_.reset();
    begin();
    return outcome;
}

} // namespace app
