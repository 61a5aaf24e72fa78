#include "app/session/kept_versions.h"

#include "app/data/fields_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_sources = 200;
constexpr const char* folder_name = ".versions";

uint64_t hash_of(std::string_view text) // FNV-1a: protects against accidental collisions only
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

void read_versions(const fs::path& file, std::vector<FileVersionPtr>& versions)
{
    const json whole = read_json(file);
    const auto source = field_of<fs::path>(whole, "file");
    std::vector<FileVersionPtr> own;
    for (FileVersion& version : field_of<std::vector<FileVersion>>(whole, "versions")) {
        version.file = source;
        own.push_back(std::make_shared<const FileVersion>(std::move(version)));
    }
    const std::size_t first = own.size() - std::min(own.size(), FileHistory::most_of_file);
    versions.insert(versions.end(), own.begin() + static_cast<std::ptrdiff_t>(first), own.end());
}

} // namespace

fs::path kept_versions_file(const fs::path& folder, const fs::path& source)
{
    std::error_code error;
    const fs::path whole = fs::absolute(source, error);
    return folder / folder_name /
           fmt::format("{}-{:08x}.json", source.stem().string(), hash_of(whole.string()) & 0xffffffff);
}

std::string kept_versions_text(std::span<const FileVersionPtr> versions)
{
    json rows = json::array();
    for (const FileVersionPtr& version : versions)
        rows.push_back(to_named_json(*version));
    const json whole = {{"file", versions.empty() ? "" : versions.front()->file.string()}, {"versions", rows}};
    return whole.dump(1, ' ', false, json::error_handler_t::replace);
}

std::vector<FileVersionPtr> read_kept_versions(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder / folder_name, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".json")
            files.push_back(at->path());
    std::ranges::sort(files);
    if (files.size() > most_sources)
        files.resize(most_sources);
    std::vector<FileVersionPtr> versions;
    for (const fs::path& file : files)
        try {
            read_versions(file, versions);
        } catch (const std::exception&) { // a damaged history does not affect the source or its run
        }
    return versions;
}

} // namespace app
