// Going through a lesson or a quiz: its steps and questions, what is answered, and what a step asks the person to do.
#pragma once

#include "app/state/state.h"

namespace app {

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
