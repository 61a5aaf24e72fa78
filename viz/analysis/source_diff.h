// Line-by-line differences between the device code of two rungs. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// A line of source code.
struct SourceLine {
    uint32_t number = 0; // 1-based, in the whole file
    std::string text;    // without trailing blanks
    uint32_t file = 0;   // index of the file if the lines of several files are joined
};

// Returns the lines of a rung's file that a GPU compiles. Omits the host part (from "#ifndef __CUDACC__" to its
// "#endif"), includes, namespaces and empty lines. Omits comments unless `with_comments`.
std::vector<SourceLine> kernel_lines(std::string_view source, bool with_comments);

enum class Change : uint8_t { none, removed, added };

// A line of the comparison.
struct DiffLine {
    Change change = Change::none;
    uint32_t before = 0, after = 0; // line numbers; 0 if the line exists only on the other side
    std::string text;               // from `after` if the line is on both sides
    uint32_t file = 0;              // index of the file, from the same side as `text`
    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

// Returns the shortest list of removed and added lines that turns `before` into `after`. Ignores blanks around a line.
// Removed lines precede the lines that replace them.
std::vector<DiffLine> diff_lines(const std::vector<SourceLine>& before, const std::vector<SourceLine>& after);

// The changes with `around` lines of context on both sides. Hunks whose contexts touch are merged.
using Hunk = std::vector<DiffLine>;
std::vector<Hunk> hunks_of(const std::vector<DiffLine>& lines, std::size_t around);

// Moves hunks that add lines before hunks that only remove lines. Otherwise keeps the file order.
std::vector<Hunk> added_first(std::vector<Hunk> hunks);

} // namespace viz
