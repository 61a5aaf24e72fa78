// Draws the lesson's card, the lesson's column and the quiz, and hides the answer of an open question.
#pragma once

#include "app/learn/lessons.h"
#include "app/panels/state.h"

#include "viz/marks.h"
#include "viz/text/message.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// The lesson of the shown stage at the top right: its leading comment, and things to look at. Each of these jumps to a
// view and step.

class Card {
public:
    static bool has_words(const Snapshot& snapshot); // false for a file that is not in the ladder

    void draw(const Snapshot& snapshot, Session& session, State& state, const Area& area);

private:
    void draw_items(const Snapshot& snapshot, Session& session, State& state) const;
    void draw_words(const Snapshot& snapshot, Session& session, State& state) const;

    std::string of_; // source of the paragraphs
    std::vector<CommentParagraph> paragraphs_;
};

// Hides the answer of an open question in a view.

// Text that replaces a figure which would reveal the answer.
inline constexpr std::string_view hidden_until_answered =
    "What would tell the answer is hidden until you have given it.";

// Returns whether the question's picture stays covered until the answer.
bool covers_picture(const State& state);
// Draws a plain cover instead of the picture into the content region of the current window.
void draw_cover(const State& state);

// Removes the view's tip and its text in the inspector, and replaces its description of the selection by a notice.
void hide_answers(std::optional<viz::Rich>& tip, State& state);

// Draws a choice as a box as wide as the column: the key that chooses it, wrapped words, and how many of a class chose
// it. Returns whether it was pressed.
struct ChoiceBox {
    const viz::Message& label;
    std::size_t index = 0;
    bool open = true;                               // the user can choose it
    bool right = false, wrong = false;              // with the answer: it is the right one; it was chosen and is wrong
    bool chosen = false;                            // before the answer: this window has chosen it
    std::optional<std::size_t> count = {}, of = {}; // number of answers that chose it; all answers; empty: no bar
    float padding = 6;                              // above and below the words, at scale 1
};
bool draw_choice(State& state, const ChoiceBox& choice);

// Returns the text that follows an answer: whether it is right, and why. `chosen` may be beyond the last choice.
// Without `chosen` the text explains only the right answer.
viz::Rich outcome_words(const QuizQuestion& question, std::optional<std::size_t> chosen);

} // namespace app
