// Parses the comment at the beginning of a stage's source, which is the stage's own lesson.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace app {

// A paragraph. "Look at: ..." has the label "Look at"; other paragraphs have an empty label.
struct CommentParagraph {
    std::string label, text; // text on one line
};
std::vector<CommentParagraph> leading_comment(std::string_view source);

} // namespace app
