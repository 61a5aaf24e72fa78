// C++ source cut into words that are coloured, and its lines broken so that they fit a width: pure functions, which know as much of the
// language as a reader's eye needs. And a line as it is drawn.
#pragma once

#include "viz/theme.h"

#include <imgui.h>

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

// Part of a line that fits; what does not goes on in the next part, indented further.
struct LinePart {
    const SourceLine* line = nullptr;
    std::size_t start = 0, end = 0, number = 0; // characters; number: of the line, 0 where it goes on
};

// How a long line of source is wrapped: how many characters its first row has, which begins at column `start`, and each row below.
struct LineRoom {
    std::size_t start = 0, first = 0, more = 0;
};

// At a blank, else behind a bracket or a comma, else where the room ends. A line without characters is one part.
void add_parts(std::vector<LinePart>& parts, const SourceLine& line, std::size_t number, const LineRoom& room);

// In the window's monospaced letters, from character `start` on, which comes to `at`.
void draw_highlighted(const viz::Theme& theme, const SourceLine& line, ImVec2 at, std::size_t start = 0);

// The line without its indentation, for where it is cut off.
void whole_line_tooltip(const viz::Theme& theme, const SourceLine& line);

} // namespace app
