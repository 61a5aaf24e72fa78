#include "viz/analysis/source_diff.h"

#include <algorithm>

namespace viz {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Returns the position of a // comment outside of strings, or the line's length if there is none.
std::size_t comment_in(std::string_view line)
{
    bool quoted = false;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        if (line[i] == '\\')
            ++i;
        else if (line[i] == '"')
            quoted = !quoted;
        else if (!quoted && line[i] == '/' && line[i + 1] == '/')
            return i;
    }
    return line.size();
}

bool only_names(std::string_view line)
{
    return line.starts_with("#include") || line.starts_with("namespace ") || line.starts_with("} // namespace");
}

// Tells whether the preprocessor omits a line on a GPU. Follows nested conditions.
class HostPart {
public:
    bool holds(std::string_view line)
    {
        if (depth == 0) {
            depth = line.starts_with("#ifndef __CUDACC__") ? 1 : 0;
            return depth != 0;
        }
        if (line.starts_with("#if"))
            ++depth;
        else if (line.starts_with("#endif"))
            --depth;
        return true;
    }

private:
    int depth = 0;
};

} // namespace

std::vector<SourceLine> kernel_lines(std::string_view source, bool with_comments)
{
    std::vector<SourceLine> lines;
    HostPart host;
    for (uint32_t number = 1; !source.empty(); ++number) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        std::string_view line = source.substr(0, end);
        source.remove_prefix(std::min(end + 1, source.size()));
        if (host.holds(line) || only_names(line))
            continue;
        if (!with_comments)
            line = line.substr(0, comment_in(line));
        line = line.substr(0, line.find_last_not_of(blanks) + 1);
        if (!line.empty())
            lines.push_back({.number = number, .text = std::string(line)});
    }
    return lines;
}

std::vector<DiffLine> diff_lines(const std::vector<SourceLine>& before, const std::vector<SourceLine>& after)
{
    // longest[i][j] is the length of the longest common subsequence of before[i..] and after[j..].
    const std::size_t rows = before.size() + 1, cols = after.size() + 1;
    std::vector<uint32_t> longest(rows * cols, 0);
    const auto same = [&](std::size_t i, std::size_t j) { return trimmed(before[i].text) == trimmed(after[j].text); };
    for (std::size_t i = before.size(); i-- > 0;)
        for (std::size_t j = after.size(); j-- > 0;)
            longest[i * cols + j] = same(i, j) ? longest[(i + 1) * cols + j + 1] + 1
                                               : std::max(longest[(i + 1) * cols + j], longest[i * cols + j + 1]);
    std::vector<DiffLine> result;
    std::size_t i = 0, j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && same(i, j)) {
            result.push_back({Change::none, before[i].number, after[j].number, after[j].text, after[j].file});
            ++i, ++j;
        } else if (j == after.size() ||
                   (i < before.size() && longest[(i + 1) * cols + j] >= longest[i * cols + j + 1])) {
            result.push_back({Change::removed, before[i].number, 0, before[i].text, before[i].file});
            ++i;
        } else {
            result.push_back({Change::added, 0, after[j].number, after[j].text, after[j].file});
            ++j;
        }
    }
    // Moves removed lines between two common lines before the added ones.
    for (auto at = result.begin(); at != result.end();) {
        const auto is_common = [](const DiffLine& line) { return line.change == Change::none; };
        const auto end = std::find_if(at, result.end(), is_common);
        std::stable_partition(at, end, [](const DiffLine& line) { return line.change == Change::removed; });
        at = std::find_if_not(end, result.end(), is_common);
    }
    return result;
}

std::vector<Hunk> hunks_of(const std::vector<DiffLine>& lines, std::size_t around)
{
    std::vector<Hunk> hunks;
    std::size_t end = 0; // end of the last hunk
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].change == Change::none)
            continue;
        const std::size_t first = i >= around ? i - around : 0, last = std::min(i + around + 1, lines.size());
        if (hunks.empty() || first > end) {
            hunks.emplace_back();
            end = first;
        }
        for (; end < last; ++end)
            hunks.back().push_back(lines[end]);
    }
    return hunks;
}

std::vector<Hunk> added_first(std::vector<Hunk> hunks)
{
    std::ranges::stable_partition(hunks, [](const Hunk& hunk) {
        return std::ranges::any_of(hunk, [](const DiffLine& line) { return line.change == Change::added; });
    });
    return hunks;
}

} // namespace viz
