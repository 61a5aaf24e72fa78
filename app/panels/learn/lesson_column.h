// What teaches beside the picture: the lesson's card and column, the quiz, and what hides the answer of an open question.
#pragma once

#include "app/learn/rung_comment.h"
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

// Covers the headlines of the drawn view. Clears its texts about the mouse position and the selection.
void hide_answers(const viz::Marks& marks, std::optional<viz::Rich>& tip, State& state);

} // namespace app
