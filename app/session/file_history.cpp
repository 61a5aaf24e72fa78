#include "app/session/file_history.h"

#include "app/data/fields_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace app {

VersionFigures figures_of(const RunFileResult& run)
{
    const recording::Totals totals = run.recorded.recording->totals();
    const recording::SharedTotals &load = totals.shared_load, &store = totals.shared_store;
    return {.shared = load.instructions + store.instructions > 0,
            .wavefronts = load.wavefronts + store.wavefronts,
            .conflicts = load.conflicts + store.conflicts,
            .sectors = totals.global_load.sectors + totals.global_store.sectors,
            .gflops = run.gflops,
            .right = run.check ? std::optional(run.check->ok) : std::nullopt,
            .how = run.how};
}

bool FileHistory::add(const std::filesystem::path& file, const RunPtr& run)
{
    const recording::Recording& recording = *run->recorded.recording;
    FileVersion version{.number = 1,
                        .file = file,
                        .run = run,
                        .text = run->text,
                        .parameters = recording.parameters,
                        .problem = recording.problem,
                        .figures = figures_of(*run)};
    // Running the kernel alone, main, or another launch of main changes the size, but makes no new version.
    const bool of_main = run->main || std::ranges::any_of(versions_, [&](const FileVersionPtr& one) {
                             return one->file == file && one->run != nullptr && one->run->main;
                         });
    const auto same = [&](const FileVersionPtr& one) {
        return one->file == file && one->text == version.text && one->parameters == version.parameters &&
               (one->problem == version.problem || of_main);
    };
    const std::vector<FileVersionPtr> before = of(file);
    const bool again = !before.empty() && same(before.back());
    if (!before.empty())
        version.number = before.back()->number + (again ? 0 : 1);
    std::erase_if(versions_, same); // switching between two versions adds no third one
    versions_.push_back(std::make_shared<const FileVersion>(std::move(version)));
    forget_some(file);
    return !again;
}

void FileHistory::forget_some(const std::filesystem::path& file)
{
    if (const std::vector<FileVersionPtr> all = of(file); all.size() > most_of_file)
        std::erase(versions_, all.front());
    const auto has_run = [](const FileVersionPtr& one) { return one->run != nullptr; };
    if (static_cast<std::size_t>(std::ranges::count_if(versions_, has_run)) <= most_recordings)
        return;
    FileVersionPtr& oldest = *std::ranges::find_if(versions_, has_run);
    FileVersion without = *oldest;
    without.run = nullptr;
    oldest = std::make_shared<const FileVersion>(std::move(without));
}

void FileHistory::know(const std::vector<FileVersionPtr>& kept)
{
    for (FileVersionPtr& own : versions_) {
        uint64_t last = 0;
        for (const FileVersionPtr& one : kept)
            if (one->file == own->file)
                last = std::max(last, one->number);
        FileVersion later = *own;
        later.number += last;
        own = std::make_shared<const FileVersion>(std::move(later));
    }
    versions_.insert(versions_.begin(), kept.begin(), kept.end());
}

std::vector<FileVersionPtr> FileHistory::of(const std::filesystem::path& file) const
{
    std::vector<FileVersionPtr> result;
    std::ranges::copy_if(versions_, std::back_inserter(result), [&](const auto& one) { return one->file == file; });
    return result;
}

FileVersionPtr FileHistory::find(const std::filesystem::path& file, uint64_t number) const
{
    for (const FileVersionPtr& one : versions_)
        if (one->file == file && one->number == number)
            return one;
    return nullptr;
}

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
