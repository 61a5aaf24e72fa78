// C++ source cut into words that are coloured. Pure; knows as much of the language as a reader's eye needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace app {

enum class SourceKind : uint8_t { plain, keyword, cuda, comment, number, text, preprocessor };

struct SourceSpan {
    uint32_t first = 0, count = 0; // bytes of the line
    SourceKind kind = SourceKind::plain;
};

struct SourceLine {
    std::string_view text; // into the given source
    std::vector<SourceSpan> spans;
};

// One entry per line; the source must outlive the result.
std::vector<SourceLine> highlight(std::string_view source);

// Leading blanks, in characters.
std::size_t indentation(const SourceLine& line);

// How far the whole body is indented of the function that holds a line, counted from 1: its least indented line, where
// preprocessor lines, which stand at the left edge, do not count. 0 for lines outside of functions, and for line 0.
std::size_t body_indentation(const std::vector<SourceLine>& lines, std::size_t number);

} // namespace app
