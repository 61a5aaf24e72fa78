// Taking the window to a place, and coming back.
#pragma once

#include "app/state/state.h"

namespace app {

Whereabouts here(const Snapshot& snapshot, const State& state);

struct Going {
    bool plays = false;    // its step, on arrival
    bool undoable = false; // somebody chose to; else the program's own
};
// Shows it as soon as its recordings are there. Where the place cannot be, what is wrong goes to the status line.
void go_to(Session& session, State& state, const Place& place, Going how = {});
// `undoable`: somebody chose to; else the program's own.
void go_back_to(Session& session, State& state, const Whereabouts& where, bool undoable = false);

// Closes the pages that lie over the view: courses, claims, counters, candidates. A search that goes on stays.
void leave_pages(const Snapshot& snapshot, Session& session, State& state);

// The page with the table of counters, by a place's word: "counters", "accuracy"; any other closes it.
void show_counters(State& state, std::string_view page);

// Each frame: the step, the lane and the element, once the recordings are there.
void arrive(const Snapshot& snapshot, State& state);

// Whether the window still shows what it showed on arrival.
bool is_where_it_arrived(const Snapshot& snapshot, const State& state);

void open_lesson(const Snapshot& snapshot, Session& session, State& state, const Lesson& lesson);
void take_up_lesson(const Snapshot& snapshot, State& state, const Lesson& lesson,
                    std::size_t step);                            // where the window is
void show_step(Session& session, State& state, std::size_t step); // of the open lesson
void close_lesson(Session& session, State& state);

// The step after this one (-1: before) of the open lesson; or, once it is answered, the next question.
void next_of_learning(Session& session, State& state, int by);

// A quiz, as a rule with seed 0: then its questions are new ones.
void start_quiz(const Snapshot& snapshot, State& state, std::string title, QuizWanted wanted);
// The lesson after the one that the open quiz was asked about; null: there is none.
const Lesson* lesson_after_quiz(const State& state);
void take_up_quiz(const Snapshot& snapshot, State& state, const QuizPlace& place); // as it was left
void ask(Session& session, State& state);                                          // puts the question at hand
void answer(Session& session, State& state, std::size_t chosen); // keeps the progress, and shows how it is
void next_question(Session& session, State& state);
void close_quiz(Session& session, State& state);

// Each frame: takes a quiz that was made, a lane or an element that was clicked for an answer, and a deed that was done.
void follow_learning(const Snapshot& snapshot, Session& session, State& state);

} // namespace app
