// What teaches beside the picture: the lesson's card and column, the quiz, and what hides the answer of an open question.
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

// Clears the texts of the drawn view about the mouse position and the selection.
void hide_answers(std::optional<viz::Rich>& tip, State& state);

// Draws a choice as a box as wide as the column: the key that chooses it, wrapped words, and how many of a class chose
// it. Returns whether it was pressed.
struct ChoiceBox {
    const viz::Message& label;
    std::size_t index = 0;
    bool open = true;                               // it can be chosen
    bool right = false, wrong = false;              // what the answer showed
    bool chosen = false;                            // of an open question, by this window
    std::optional<std::size_t> count = {}, of = {}; // of how many answers; empty: no bar
    float padding = 6;                              // above and below, at scale 1
};
bool draw_choice(State& state, const ChoiceBox& choice);

// Returns what an answer is told; `chosen` may be beyond the choices, and empty where nothing was answered.
viz::Rich outcome_words(const QuizQuestion& question, std::optional<std::size_t> chosen);

} // namespace app
