#include "app/panels/classroom.h"

#include "app/learn/lessons.h"
#include "app/panels/derive.h"
#include "app/panels/learn/lesson_column.h"
#include "app/panels/learning.h"
#include "app/panels/navigation.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include "viz/draw/rich_text.h"
#include "viz/text/rich.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

constexpr int frames_with_input = 3; // ImGui shows the effect of an input one or two frames later

// Returns what a follower may have changed by hand.
Classroom::Shown shown_now(const State& state)
{
    Classroom::Shown now{current_workspace(state), state.playback.playing()};
    state.default_comparison.take_from(now.at.choice); // the program chose it, not the follower
    return now;
}

// Compares without the panels, which each follower chooses, and without the step during playback.
bool is_same(const Classroom::Shown& one, const Classroom::Shown& other)
{
    return one.plays == other.plays && one.at.page == other.at.page && one.at.clock == other.at.clock &&
           one.at.is_where(other.at);
}

LedPlace led_place(const Snapshot& snapshot, const State& state)
{
    LedPlace place{.patch = patch_of(snapshot, state), .when = LedPlace::Clock::now()};
    place.patch.panels = Panels();
    if (state.playback.playing()) {
        place.patch.step.reset();
        place.patch.time.reset();
        place.plays = true;
        place.time = state.playback.time();
        place.speed = state.playback.speed();
        place.until = state.learning.stop_at;
    }
    return place;
}

void show_to_class(const Snapshot& snapshot, State& state)
{
    Classroom& classroom = state.learning.classroom;
    if (!snapshot.found || snapshot.busy() || state.learning.arrival || keeps_question_back(state))
        return;
    LedPlace place = led_place(snapshot, state);
    classroom.shows_file =
        std::ranges::any_of(place.patch.columns, [](const auto& column) { return !column.file.empty(); });
    if (classroom.shows_file || (classroom.told && classroom.told->continues_as(place)))
        return;
    classroom.told = place;
    classroom.seat->show(std::move(place));
}

// Shows the answer to the class. It is no answer of the leader, so the leader's progress stays unchanged.
void reveal_to_class(Session& session, State& state)
{
    Learning& learning = state.learning;
    learning.classroom.seat->reveal();
    if (learning.quiz && learning.quiz->question() != nullptr && !learning.quiz->chosen)
        learning.quiz->chosen = learning.quiz->question()->answer;
    play_class_answer(session, state);
}

} // namespace

bool leads_class(const State& state)
{
    return state.learning.classroom.seat && state.learning.classroom.seat->leads();
}

bool follows_class(const State& state)
{
    return state.learning.classroom.seat && !state.learning.classroom.seat->leads();
}

bool keeps_question_back(const State& state)
{
    return leads_class(state) && state.learning.asked_of_class() == nullptr && state.learning.hides();
}

void note_input(State& state)
{
    state.learning.classroom.frames_after_input = frames_with_input;
}

void leave_leader(State& state)
{
    if (!follows_class(state))
        return;
    state.learning.classroom.follows = false;
    state.learning.classroom.to_play.reset();
}

void return_to_leader(State& state)
{
    state.learning.classroom.follows = true;
    state.learning.classroom.place_number = 0;
}

void follow_leader(Session& session, State& state)
{
    Classroom& classroom = state.learning.classroom;
    if (!follows_class(state))
        return;
    if (classroom.follows && classroom.frames_after_input > 0 && classroom.shown &&
        !is_same(*classroom.shown, shown_now(state)))
        leave_leader(state);
    const Lecture& lecture = classroom.seat->lecture();
    if (!classroom.follows || !lecture.place() || classroom.place_number == lecture.place_number())
        return;
    classroom.place_number = lecture.place_number();
    const LedPlace& place = *lecture.place();
    if (navigate(session, state, place.patch))
        classroom.to_play = place;
}

void play_with_leader(State& state)
{
    Classroom& classroom = state.learning.classroom;
    if (!classroom.to_play || state.learning.arrival)
        return;
    const LedPlace place = *std::exchange(classroom.to_play, std::nullopt);
    if (!place.plays)
        return;
    const double end = place.until.value_or(clock_end(state));
    go_to_time(state, std::min(place.time_at(LedPlace::Clock::now()), end));
    state.playback.set_speed(place.speed);
    state.learning.stop_at = place.until;
    state.playback.play();
}

void keep_class(const Snapshot& snapshot, State& state)
{
    Classroom& classroom = state.learning.classroom;
    if (!classroom.seat)
        return;
    classroom.frames_after_input = std::max(classroom.frames_after_input - 1, 0);
    if (leads_class(state))
        show_to_class(snapshot, state);
    else
        classroom.shown = shown_now(state);
}

void ask_class(State& state)
{
    if (keeps_question_back(state) && state.learning.open_question() != nullptr)
        state.learning.classroom.seat->ask(*state.learning.open_question());
}

void play_class_answer(Session& session, State& state)
{
    navigate(session, state, state.learning.asked_of_class()->question.shown, {.plays = true});
}

void next_for_class(Session& session, State& state)
{
    const AskedQuestion* asked = state.learning.asked_of_class();
    if (!leads_class(state) || asked == nullptr || !asked->revealed)
        return;
    state.learning.classroom.seat->end_question();
    if (state.learning.quiz && state.learning.quiz->question() != nullptr)
        next_question(session, state);
}

void end_class_question(Session& session, State& state)
{
    if (!leads_class(state))
        return;
    state.learning.classroom.seat->end_question();
    if (state.learning.quiz)
        close_quiz(session, state);
}

void continue_class(Session& session, State& state)
{
    const AskedQuestion* asked = state.learning.asked_of_class();
    if (follows_class(state) && !state.learning.classroom.follows)
        return_to_leader(state);
    else if (leads_class(state) && asked == nullptr)
        ask_class(state);
    else if (leads_class(state) && !asked->revealed)
        reveal_to_class(session, state);
    else
        next_for_class(session, state);
}

bool answer_class_by_key(State& state, const KeyChord& chord)
{
    const AskedQuestion& asked = *state.learning.asked_of_class();
    if (asked.revealed || chord.key != Key::character || chord.control || chord.alt || chord.character < U'1' ||
        chord.character >= U'1' + asked.question.choices.size())
        return false;
    state.learning.classroom.seat->answer(chord.character - U'1');
    return true;
}

bool shows_asked_picture(const State& state, const QuizQuestion& question)
{
    return state.at.view == question.asked.view &&
           (leads_class(state) || (state.at.page == Page::none && state.learning.classroom.follows));
}

bool hides_from_class(const State& state)
{
    return follows_class(state) && state.learning.asked_of_class() != nullptr && state.learning.hides();
}

} // namespace app
