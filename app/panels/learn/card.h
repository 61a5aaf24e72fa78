// The rung's own lesson, at the top right: its leading comment, and what to look at, each a jump to that view and step.
#pragma once

#include "app/learn/rung_comment.h"
#include "app/state/state.h"

#include <string>
#include <vector>

namespace app {

class Card {
public:
    static bool has_words(const Snapshot& snapshot); // none of a file that the ladder has not

    void draw(const Snapshot& snapshot, Session& session, State& state, const Area& area);

private:
    void draw_items(const Snapshot& snapshot, Session& session, State& state) const;
    void draw_words(const Snapshot& snapshot, Session& session, State& state) const;

    std::string of_; // source that the paragraphs are of
    std::vector<CommentParagraph> paragraphs_;
};

} // namespace app
