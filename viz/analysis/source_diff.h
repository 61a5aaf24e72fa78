// What changed between the device code of two rungs, line by line. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

struct SourceLine {
    uint32_t number = 0; // 1-based, in the whole file
    std::string text;    // without blanks at its end
    uint32_t file = 0;   // where lines of several follow each other
};

// What a GPU compiles of a rung's file: without the part for the host (from "#ifndef __CUDACC__" to its "#endif"), lines
// that only name (includes, namespaces) and empty lines; and without comments unless they are asked for.
std::vector<SourceLine> kernel_lines(std::string_view source, bool with_comments);

enum class Change : uint8_t { none, removed, added };

struct DiffLine {
    Change change = Change::none;
    uint32_t before = 0, after = 0; // line numbers; 0 where the line is only in the other
    std::string text;               // of `after` where it is in both
    uint32_t file = 0;              // likewise
    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

// The shortest list of removed and added lines that turns one into the other; blanks around a line do not count. What
// is removed comes before what is added in its place.
std::vector<DiffLine> diff_lines(const std::vector<SourceLine>& before, const std::vector<SourceLine>& after);

// Only what changed, with so many lines of both sides around it; neighbours that meet are one hunk.
using Hunk = std::vector<DiffLine>;
std::vector<Hunk> hunks_of(const std::vector<DiffLine>& lines, std::size_t around);

// What the stage adds before what it only leaves out; else in the order of the file.
std::vector<Hunk> added_first(std::vector<Hunk> hunks);

} // namespace viz
