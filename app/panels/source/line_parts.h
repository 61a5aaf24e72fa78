// Lines of source broken so that they fit a width. Pure.
#pragma once

#include "app/panels/source/highlight.h"

namespace app {

// Part of a line that fits; what does not goes on in the next part, indented further.
struct LinePart {
    const SourceLine* line = nullptr;
    std::size_t start = 0, end = 0, number = 0; // characters; number: of the line, 0 where it goes on
};

// Into how much a line is broken: characters of the first part, which begins at `start`, and of those below it.
struct LineRoom {
    std::size_t start = 0, first = 0, more = 0;
};

// At a blank, else behind a bracket or a comma, else where the room ends. A line without characters is one part.
void add_parts(std::vector<LinePart>& parts, const SourceLine& line, std::size_t number, const LineRoom& room);

} // namespace app
