#include "app/learn/rung_comment.h"

#include <algorithm>
#include <cctype>

namespace app {

namespace {

// Splits off a label. "Look at: two places" has one, because it starts with a capital letter and the colon follows
// soon. "vectorized: an 8 x 8 tile" is a title.
CommentParagraph paragraph_of(const std::string& text)
{
    constexpr std::size_t longest_label = 28;
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos || colon > longest_label || std::isupper(static_cast<unsigned char>(text[0])) == 0)
        return {{}, text};
    return {text.substr(0, colon), text.substr(colon + 2)};
}

} // namespace

std::vector<CommentParagraph> leading_comment(std::string_view source)
{
    std::vector<CommentParagraph> paragraphs;
    std::string text;
    const auto end_paragraph = [&] {
        if (!text.empty())
            paragraphs.push_back(paragraph_of(text));
        text.clear();
    };
    while (source.starts_with("//")) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        std::string_view line = source.substr(2, end - 2);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty())
            end_paragraph();
        else
            text += (text.empty() ? "" : " ") + std::string(line);
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    end_paragraph();
    return paragraphs;
}

} // namespace app
