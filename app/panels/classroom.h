// A window of a class (serve --class): it leads, or follows what the leader shows; questions that are put to the class.
// All functions do nothing in a window that is in no class.
#pragma once

#include "app/panels/state.h"
#include "app/workspace/commands.h"

namespace app {

class Session;

bool leads_class(const State& state);
bool follows_class(const State& state); // it is a follower's window, whether it is at the leader's place or not
// Returns whether a leader looks at a question that the class was not asked. Its place would reveal the answer.
bool keeps_question_back(const State& state);

// Call these in each frame, in this order. Before derive(): notices that a follower went elsewhere by hand, and takes a
// follower to the leader's place.
void follow_leader(Session& session, State& state);
// After derive(): plays what the leader plays.
void play_with_leader(State& state);
// After playback has advanced: keeps what the program itself has come to, and shows a leader's place to the class.
void keep_class(const Snapshot& snapshot, State& state);

void note_input(State& state);                       // a key or a button was pressed: what changes now, changes by hand
void leave_leader(State& state);                     // the follower goes elsewhere
void return_to_leader(State& state);                 // the next frame shows the leader's place
void continue_class(Session& session, State& state); // the key Enter: what the window's button offers
void ask_class(State& state);                        // asks the class the question that the leader looks at
void next_for_class(Session& session, State& state); // the leader's next question, after an answer
void play_class_answer(Session& session, State& state);  // plays what the answer is seen in
void end_class_question(Session& session, State& state); // the leader's, with the quiz that it is from
// Returns whether the key was the number of a choice, which is then the follower's answer.
bool answer_class_by_key(State& state, const KeyChord& chord);

// Returns whether a question to the class has its picture in view: at another place the answer could be seen.
bool shows_asked_picture(const State& state, const QuizQuestion& question);
// Returns whether a follower may not see anything of the picture: no page and no file of it either.
bool hides_from_class(const State& state);

// The bar below the top row. It is there only when it has something to say.
bool needs_class_bar(const State& state);
void draw_class_bar(State& state, const Area& area);

// Draw the question that the class was asked into the column, and the button with which a leader asks that of a quiz.
void draw_class_question(Session& session, State& state);
void draw_ask_class(State& state);

// Returns for example "class: 12" for a leader; empty for others.
std::string class_label(const State& state);

} // namespace app
