// A rung's own lesson: the comment that its source begins with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace app {

// "Look at: ..." has the label "Look at"; a paragraph without one has none.
struct CommentParagraph {
    std::string label, text; // text on one line
};
std::vector<CommentParagraph> leading_comment(std::string_view source);

} // namespace app
