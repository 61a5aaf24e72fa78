// A window of a class (serve --class). A leader's window shows its place to the followers and asks the class questions.
// In a window without a class no function has an effect.
#pragma once

#include "app/panels/state.h"
#include "app/workspace/commands.h"

namespace app {

class Session;

bool leads_class(const State& state);
bool follows_class(const State& state); // a follower's window, at the leader's place or elsewhere
// Returns whether a leader looks at a question that the class was not asked. The place would reveal the answer.
bool keeps_question_back(const State& state);

// Call the next three functions in each frame, in this order. Before derive(): detects that the follower went elsewhere
// by hand. Otherwise moves the window to the leader's place.
void follow_leader(Session& session, State& state);
// After derive(): plays at the leader's time and speed, if the leader plays.
void play_with_leader(State& state);
// After playback has advanced: sends a leader's place to the class, or notes what a follower's window shows.
void keep_class(const Snapshot& snapshot, State& state);

void note_input(State& state);                           // call it at an input: changes in the next frames are by hand
void leave_leader(State& state);                         // the follower goes elsewhere
void return_to_leader(State& state);                     // the next frame shows the leader's place
void continue_class(Session& session, State& state);     // the key Enter: does what the button of the window does
void ask_class(State& state);                            // asks the class the question that the leader looks at
void next_for_class(Session& session, State& state);     // the leader's next question, after an answer
void play_class_answer(Session& session, State& state);  // plays the place that shows the answer
void end_class_question(Session& session, State& state); // ends the leader's question and its quiz
// Returns whether the key was the number of a choice, which is then the follower's answer.
bool answer_class_by_key(State& state, const KeyChord& chord);

// Returns whether the window shows the picture of a question to the class. Another place could reveal the answer.
bool shows_asked_picture(const State& state, const QuizQuestion& question);
// Returns whether a question to the class hides the picture from this follower, and with it all pages and files of it.
bool hides_from_class(const State& state);

// The bar below the top row, which appears only if it has a text.
bool needs_class_bar(const State& state);
void draw_class_bar(State& state, const Area& area);

// Draw into the column: the question that the class was asked, and the leader's button that asks a question of a quiz.
void draw_class_question(Session& session, State& state);
void draw_ask_class(State& state);

// Returns for example "class: 12" for a leader; empty for others.
std::string class_label(const State& state);

} // namespace app
