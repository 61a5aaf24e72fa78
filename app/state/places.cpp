#include "app/state/places.h"

#include "app/catalogue/recordings.h"
#include "app/state/position.h"
#include "app/state/saved.h"

#include "error.h"
#include "gemm/size.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace app {

namespace {

void set_size(Sizes& sizes, const kernels::Job& job)
{
    const Sizes standard;
    sizes.recorded = standard.recorded;
    sizes.recorded_threads = standard.recorded_threads;
    sizes.recorded_elements = standard.recorded_elements;
    switch (job.stage->operation) {
    case kernels::Operation::vector_add: sizes.recorded_elements = job.problem.N; break;
    case kernels::Operation::thread_coords: sizes.recorded_threads = job.problem; break;
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: sizes.recorded = job.problem; break;
    }
}

void set_timed_size(Sizes& sizes, const Place& place, kernels::Operation operation)
{
    const recording::Problem typed = kernels::parse_size(place.timed, operation);
    if (operation == kernels::Operation::vector_add)
        sizes.timed_elements = typed.N;
    else
        sizes.timed = {.M = typed.M, .N = typed.N, .K = typed.K};
}

// The stage it is compared with; where that is the first one again, as it was with other parameters.
void choose_second(Choice& choice, const Place& place, const std::vector<kernels::Stage>& ladder, std::size_t first)
{
    const kernels::Job job = job_of(place, ladder, true);
    const auto second = static_cast<std::size_t>(job.stage - ladder.data());
    choice.compare(second);
    if (place.second_parameters.empty())
        return;
    if (second == first)
        choice.before = job.parameters;
    else
        (choice.tiny ? choice.tiny_parameters : choice.parameters)[second] = job.parameters;
}

void choose_third(Choice& choice, const Place& place, const std::vector<kernels::Stage>& ladder)
{
    if (!choice.comparing())
        throw kernels::Error("A third stage, " + place.third +
                             ", stands beside a second one: give that with compare=.");
    Place as_second = place;
    as_second.compare = place.third;
    as_second.second_parameters = place.third_parameters;
    const kernels::Job job = job_of(as_second, ladder, true);
    const auto third = static_cast<std::size_t>(job.stage - ladder.data());
    choice.stages[2] = third;
    if (!place.third_parameters.empty())
        (choice.tiny ? choice.tiny_parameters : choice.parameters)[third] = job.parameters;
}

// Of a file's stage.
std::vector<recording::Parameter> numbers_of(const std::vector<std::pair<std::string, std::string>>& typed)
{
    std::vector<recording::Parameter> numbers;
    for (const auto& [name, value] : typed) {
        int number = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
        if (read.ec != std::errc() || read.ptr != value.data() + value.size())
            throw kernels::Error("The parameter " + name + " needs a whole number instead of \"" + value + "\".");
        numbers.push_back({name, number});
    }
    return numbers;
}

void choose(Choice& choice, const Place& place, const std::vector<kernels::Stage>& ladder)
{
    const kernels::Job job = job_of(place, ladder);
    const auto index = static_cast<std::size_t>(job.stage - ladder.data());
    choice.show(index);
    choice.compare(std::nullopt);
    choice.tiny = place.tiny && job.stage->tiny;
    choice.tiny_parameters.clear();
    choice.sizes.tiny.reset();
    if (!choice.tiny)
        set_size(choice.sizes, job);
    else if (!place.size.empty())
        choice.sizes.tiny = job.problem;
    choice.sizes.recorded.alpha = place.alpha;
    choice.sizes.recorded.beta = place.beta;
    if (!place.timed.empty())
        set_timed_size(choice.sizes, place, job.stage->operation);
    choice.inputs = place.inputs;
    choice.parameters.clear();
    if (!place.parameters.empty() && place.file.empty())
        (choice.tiny ? choice.tiny_parameters : choice.parameters)[index] = job.parameters;
    if (!place.compare.empty())
        choose_second(choice, place, ladder, index);
    if (!place.second_file.empty())
        choice.compare(found_file(shipped_folder(), place.second_file));
    if (!place.third.empty())
        choose_third(choice, place, ladder);
    choice.recorded_here.clear();
    if (place.here)
        choice.recorded_here.insert(index);
    choice.block = place.block;
    if (!place.file.empty()) {
        choice.show(found_file(shipped_folder(), place.file));
        choice.file_parameters = numbers_of(place.parameters);
    }
}

std::optional<std::size_t> view_named(const State& state, const std::string& name)
{
    const auto found = std::ranges::find_if(state.views, [&](const auto& view) { return view->name() == name; });
    if (found == state.views.end())
        return {};
    return static_cast<std::size_t>(found - state.views.begin());
}

viz::ClockUnit unit_named(std::string_view name)
{
    return name == "sectors" ? viz::ClockUnit::sectors
           : name == "steps" ? viz::ClockUnit::steps
                             : viz::ClockUnit::wavefronts;
}

// The recordings of what was chosen are there.
bool is_ready(const Snapshot& snapshot, const Choice& chosen)
{
    return snapshot.choice.stages == chosen.stages && snapshot.recorded().size() == snapshot.columns.size() &&
           std::ranges::none_of(snapshot.details, &ColumnDetails::busy);
}

void select(const Snapshot& snapshot, State& state, const Arriving& arriving)
{
    const recording::Recording& recording = *snapshot.columns.front().recording;
    const Place& place = arriving.place;
    viz::Selection& selection = state.selection;
    if (arriving.selection) {
        selection = *arriving.selection;
    } else {
        selection.block = block_of(place, recording);
        if (place.step || !place.at.empty() || !place.operation.empty() || place.warp != 0)
            selection.warp = place.warp;
        if (const auto step = step_of(place, recording))
            selection.step = *step;
        selection.lane = place.lane;
        selection.c = place.c;
        selection.line = place.line != 0 ? std::optional(place.line) : std::nullopt;
        selection.other_steps = {};
        if (!place.clock.empty())
            set_unit(state, unit_named(place.clock));
    }
    if (arriving.view < state.views.size())
        state.views[arriving.view]->set_options(place.arranged);
    follow_selection(snapshot, state);
    follow_step(state);
    if (place.time && !arriving.selection)
        go_to_time(state, std::min(*place.time, clock_end(state)));
    state.zoom = {};
}

void play_step(State& state)
{
    const viz::Clock& clock = state.tracks.front().clock();
    const auto begin = static_cast<double>(clock.begin(state.selection.step));
    const auto end = static_cast<double>(clock.begin(state.selection.step + 1));
    if (end <= begin)
        return;
    state.playback.set_time(begin);
    if (!state.chose_speed)
        state.playback.set_speed(std::max(1.0, (end - begin) / 3)); // three seconds, so that waves can be counted
    state.playback.play();
    state.learning.stop_at = end - 1e-3;
}

// As a place has it; what stood there before comes back with a place that says nothing of it.
void show_code(State& state, const std::string& name)
{
    if (!name.empty()) {
        if (!state.code_before)
            state.code_before = state.code;
        state.code = code_named(name);
    } else if (state.code_before) {
        state.code = *std::exchange(state.code_before, std::nullopt);
    }
}

} // namespace

Whereabouts here(const Snapshot& snapshot, const State& state)
{
    const bool drawn = state.view < state.views.size(); // a session without a window has no views
    return {snapshot.choice, state.view, state.selection, drawn ? state.views[state.view]->options() : std::string()};
}

void show_counters(State& state, std::string_view page)
{
    CounterPage& counters = state.counters;
    counters.open = page == "counters" || page == "accuracy";
    if (page == "accuracy")
        counters.columns = CounterColumns::accuracy;
    else if (counters.open && counters.columns == CounterColumns::accuracy)
        counters.columns = CounterColumns::profile;
}

void leave_pages(const Snapshot& snapshot, Session& session, State& state)
{
    state.help = state.learning.page = state.claims.open = false;
    show_counters(state, "");
    if (const SearchState* search = snapshot.search(); search != nullptr && !search->running)
        session.leave_search();
}

void go_to(Session& session, State& state, const Place& place, Going how)
{
    const SnapshotPtr now = session.snapshot();
    const auto edit = [&](Choice& choice) { choose(choice, place, now->ladder()); };
    try {
        how.undoable ? session.change(edit) : session.amend(edit);
    } catch (const kernels::Error& error) {
        state.notice = error.what();
        return;
    }
    if (const auto view = view_named(state, place.view))
        state.view = *view;
    show_code(state, place.code);
    leave_pages(*now, session, state);
    state.claims.open = place.page == "sources";
    show_counters(state, place.page);
    if (place.page == "candidates")
        if (const auto stage = session.snapshot()->leading_rung())
            session.show_shipped_search(*stage);
    state.playback.stop();
    state.learning.arrived.reset();
    state.learning.stop_at.reset();
    state.learning.arriving = Arriving{place, session.snapshot()->choice, how.plays, {}, state.view};
}

void go_back_to(Session& session, State& state, const Whereabouts& where, bool undoable)
{
    const auto choose = [&](Choice& choice) { choice = where.choice; };
    undoable ? session.change(choose) : session.amend(choose);
    state.view = where.view;
    leave_pages(*session.snapshot(), session, state);
    show_code(state, {});
    state.playback.stop();
    state.learning.stop_at.reset();
    state.learning.arriving =
        Arriving{{.arranged = where.arranged}, session.snapshot()->choice, false, where.selection, where.view};
}

void arrive(const Snapshot& snapshot, State& state)
{
    Learning& learning = state.learning;
    if (learning.arriving) {
        if (snapshot.choice.stages != learning.arriving->choice.stages) {
            learning.arriving.reset(); // somebody went elsewhere
        } else if (is_ready(snapshot, learning.arriving->choice)) {
            const Arriving arriving = *std::exchange(learning.arriving, std::nullopt);
            select(snapshot, state, arriving);
            learning.arrived = here(snapshot, state);
            if (arriving.plays)
                play_step(state);
            if (learning.hides())
                learning.quiz->asked = state.selection;
        }
    }
    if (learning.stop_at && state.playback.playing() && state.playback.time() >= *learning.stop_at) {
        state.playback.stop();
        go_to_time(state, *learning.stop_at); // the frame may have gone beyond it, into the next step
        learning.stop_at.reset();
    }
}

bool is_where_it_arrived(const Snapshot& snapshot, const State& state)
{
    return state.learning.arriving || !state.learning.arrived || here(snapshot, state) == *state.learning.arrived;
}

} // namespace app
