#include "traced/own_files.h"

#include "recording/disk.h"
#include "traced/text_parts.h"
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
constexpr std::uintmax_t most_bytes = 4u << 20;

std::optional<fs::path> found_in(const std::vector<fs::path>& folders, const std::string& name)
{
    for (const fs::path& folder : folders) {
        std::error_code ignored;
        if (const fs::path path = (folder / name).lexically_normal();
            fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) < most_bytes)
            return path;
    }
    return {};
}

} // namespace

std::vector<std::string> includes_in(std::string_view text)
{
    std::vector<std::string> names;
    const std::vector<Part> parts = parts_of(text);
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const std::size_t hash = text.find_first_not_of(" \t", line);
        if (hash < end && text[hash] == '#' && parts[hash] == Part::code) {
            const std::string rest = trimmed(text.substr(hash + 1, end - hash - 1));
            constexpr std::string_view word = "include";
            const std::size_t open = rest.find_first_not_of(" \t", word.size());
            if (rest.starts_with(word) && open != std::string::npos && (rest[open] == '<' || rest[open] == '"'))
                if (const std::size_t close = rest.find(rest[open] == '<' ? '>' : '"', open + 1);
                    close != std::string::npos)
                    names.push_back(rest.substr(open + 1, close - open - 1));
        }
        line = end + 1;
    }
    return names;
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
                std::string first = fmt::format("#include \"{}\"\n", same->name); // so that #pragma once holds for both
                files.push_back({name, *found, std::move(first)});
                continue;
            }
            files.push_back({name, *found, recording::content_of(*found)});
        }
    return files;
}

} // namespace traced
