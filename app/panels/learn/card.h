// The lesson of the shown stage at the top right: its leading comment, and things to look at. Each of these jumps to a
// view and step.
#pragma once

#include "app/learn/rung_comment.h"
#include "app/panels/state.h"

#include <string>
#include <vector>

namespace app {

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

} // namespace app
