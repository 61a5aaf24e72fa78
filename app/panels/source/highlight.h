// Splits C++ source into colored words and breaks long lines, with pure functions that know only as much C++ as syntax
// coloring needs. Also draws such a line.
#pragma once

#include "app/panels/state.h"

#include "viz/theme.h"

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace app {

enum class SourceKind : uint8_t { plain, keyword, cuda, comment, number, text, preprocessor };

struct SourceSpan {
    uint32_t first = 0, count = 0; // bytes of the line
    SourceKind kind = SourceKind::plain;
};

struct SourceLine {
    std::string_view text; // view of the given source
    std::vector<SourceSpan> spans;
};

// Returns one entry per line. The source must outlive the result.
std::vector<SourceLine> highlight(std::string_view source);

// Returns the number of leading blanks.
std::size_t indentation(const SourceLine& line);

// Returns the indentation of the body of the function that contains a line, counted from 1. It is the indentation of
// the least indented line. Preprocessor lines do not count, because they start at the left edge. Returns 0 for lines
// outside of functions and for line 0.
std::size_t body_indentation(const std::vector<SourceLine>& lines, std::size_t number);

// Part of a line that fits into a row. The next part continues it with more indentation.
struct LinePart {
    const SourceLine* line = nullptr;
    std::size_t start = 0, end = 0, number = 0; // characters; number: the line's number, or 0 for a continuation
};

// Room for a wrapped line in characters: its first row, which begins at column `start`, and each further row.
struct LineRoom {
    std::size_t start = 0, first = 0, more = 0;
};

// Splits the line at a blank, otherwise after a bracket or comma, otherwise where the room ends. An empty line is one
// part.
void add_parts(std::vector<LinePart>& parts, const SourceLine& line, std::size_t number, const LineRoom& room);

// Draws the line in the window's monospaced font, from character `start`, which is placed at `at`.
void draw_highlighted(const viz::Theme& theme, const SourceLine& line, ImVec2 at, std::size_t start = 0);

// Shows the line without its indentation in a tooltip, for a line that is cut off.
void whole_line_tooltip(const viz::Theme& theme, const SourceLine& line);

// The strip above the source with the lines that compute the layout of a shared tile. It appears if the layout is the
// idea of the stage or of one that it builds on. The lines are highlighted while the current access uses that layout.

class LayoutStrip {
public:
    void follow(const std::vector<kernels::Stage>& ladder,
                const std::shared_ptr<const recording::Recording>& recording);
    // Draws the strip with a height of at most `most`. Returns its height, or 0 if there is nothing to show. `current`
    // may be null.
    float draw(State& state, const Area& area, float most, const recording::Access* current) const;
    // Returns the file that holds the first definition; empty without one.
    std::string file() const { return definitions_.empty() ? "" : definitions_.front().file; }

private:
    struct Definition {
        std::string file, array; // for example "16_swizzled.cu" and "As"
        uint32_t first = 0;      // line number
        std::vector<SourceLine> lines;
    };

    const Definition* used_by(const recording::Access* access) const; // null: it accesses no such tile

    std::shared_ptr<const recording::Recording> recording_; // keeps alive the text that the lines point into
    std::vector<Definition> definitions_;
};

} // namespace app
