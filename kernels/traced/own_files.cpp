#include "traced/own_files.h"

#include "recording/disk.h"
#include "traced/struct_text.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

namespace traced {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 300;

std::optional<fs::path> found_in(const std::vector<fs::path>& folders, const std::string& name)
{
    for (const fs::path& folder : folders)
        if (const fs::path path = (folder / name).lexically_normal(); is_source(path))
            return path;
    return {};
}

// Joins each line that ends in a backslash with the next line, as compilers do.
std::string in_whole_lines(std::string_view text)
{
    std::string joined;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t end = text[at] == '\\' ? text.find_first_not_of(" \t\r", at + 1) : std::string_view::npos;
        if (end != std::string_view::npos && text[end] == '\n')
            at = end;
        else
            joined += text[at];
    }
    return joined;
}

// Calls `take` for each directive of the text, without comments and without its '#' (or "%:").
void each_directive(std::string_view whole, const auto& take)
{
    std::string text = in_whole_lines(whole);
    const std::vector<Part> parts = parts_of(text);
    for (std::size_t i = 0; i < text.size(); ++i)
        if (parts[i] == Part::comment && text[i] != '\n')
            text[i] = ' ';
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const std::size_t hash = text.find_first_not_of(" \t", line);
        const std::size_t mark = hash >= end || parts[hash] != Part::code ? 0
                                 : text[hash] == '#'                      ? 1
                                 : text.compare(hash, 2, "%:") == 0       ? 2
                                                                          : 0;
        if (mark > 0)
            take(trimmed(std::string_view(text).substr(hash + mark, end - hash - mark)));
        line = end + 1;
    }
}

// Returns the text after the opening mark or bracket at `open`. Sets `close` to the position of the closing one, or
// npos.
std::string quoted_at(const std::string& text, std::size_t open, std::size_t& close)
{
    close = text.find(text[open] == '<' ? '>' : '"', open + 1);
    return close == std::string::npos ? std::string() : text.substr(open + 1, close - open - 1);
}

} // namespace

std::vector<std::string> includes_in(std::string_view text)
{
    std::vector<std::string> names;
    each_directive(text, [&names](const std::string& directive) {
        constexpr std::string_view word = "include";
        const std::size_t open = directive.find_first_not_of(" \t", word.size());
        if (!directive.starts_with(word) || open == std::string::npos ||
            (directive[open] != '<' && directive[open] != '"'))
            return;
        std::size_t close = 0;
        if (std::string name = quoted_at(directive, open, close); close != std::string::npos)
            names.push_back(std::move(name));
    });
    return names;
}

std::vector<std::string> names_in_directives(std::string_view text)
{
    std::vector<std::string> names;
    each_directive(text, [&names](const std::string& directive) {
        for (std::size_t at = directive.find_first_of("<\""); at != std::string::npos;) {
            std::size_t close = 0;
            std::string name = quoted_at(directive, at, close);
            if (close != std::string::npos && !name.empty())
                names.push_back(std::move(name));
            at = directive.find_first_of("<\"", close == std::string::npos ? at + 1 : close + 1);
        }
        // A macro can form a name from words without quotation marks.
        const auto ends_word = [](char c) { return !is_word(c) && c != '.' && c != '/' && c != '-'; };
        for (auto begin = directive.begin(); begin != directive.end();) {
            const auto end = std::find_if(begin, directive.end(), ends_word);
            if (begin != end)
                names.emplace_back(begin, end);
            begin = std::find_if_not(end, directive.end(), ends_word);
        }
    });
    return names;
}

bool is_source(const fs::path& file)
{
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) <= recording::largest_source;
}

bool is_no_source(const fs::path& file)
{
    std::error_code ignored;
    return fs::exists(file, ignored) && !fs::is_directory(file, ignored) && !is_source(file);
}

std::vector<OwnFile> own_files(const fs::path& root, const std::string& text, const std::vector<std::string>& folders)
{
    const fs::path path = fs::absolute(root).lexically_normal();
    std::vector<OwnFile> files = {{root.filename().string(), path, text}};
    for (std::size_t i = 0; i < files.size(); ++i)
        for (const std::string& name : includes_in(files[i].text)) {
            std::vector<fs::path> places = {files[i].path.parent_path(), path.parent_path()};
            places.insert(places.end(), folders.begin(), folders.end());
            const std::optional<fs::path> found = found_in(places, name);
            if (!found || files.size() >= most_files)
                continue;
            if (std::ranges::find(files, name, &OwnFile::name) != files.end())
                continue;
            if (const auto same = std::ranges::find(files, *found, &OwnFile::path); same != files.end()) {
                // Includes the file under its first name, so that #pragma once applies to both names.
                std::string first = fmt::format("#include \"{}\"\n", same->name);
                files.push_back({name, *found, std::move(first)});
                continue;
            }
            files.push_back({name, *found, recording::content_of(*found, recording::largest_source)});
        }
    return files;
}

} // namespace traced
