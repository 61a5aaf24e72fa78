// History of the versions of user files that ran, each with its results. The previous version is shown beside the
// current one, and the user can restore any version.
#pragma once

#include "app/engine/run_file.h"

#include "base/fields.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace app {

using RunPtr = std::shared_ptr<const RunFileResult>;

// Figures of a version that outlive its recording.
struct VersionFigures {
    bool shared = false; // it uses shared memory
    uint64_t wavefronts = 0, conflicts = 0, sectors = 0;
    std::optional<double> gflops;
    std::optional<bool> right; // absent: not compared
    std::string how;           // "c++ 12.2.0, CPU"
    friend bool operator==(const VersionFigures&, const VersionFigures&) = default;
};
VersionFigures figures_of(const RunFileResult& run);

struct FileVersion {
    uint64_t number = 0; // within the file, from 1
    std::filesystem::path file;
    RunPtr run; // null: the version runs again when it is shown
    std::string text;
    std::vector<recording::Parameter> parameters;
    recording::Problem problem;
    VersionFigures figures;
};
// Visits the fields of a version, except its recording and its file. All versions in one stored history share the file.
void fields(auto& visit, kernels::Like<FileVersion> auto& version)
{
    visit("number", version.number, kernels::between(uint64_t{1}, kernels::largest_count));
    visit("text", version.text);
    visit("parameters", version.parameters);
    visit("size", std::tie(version.problem.M, version.problem.N, version.problem.K), kernels::between(0u, 1u << 30));
    visit("shared", version.figures.shared);
    visit("wavefronts", version.figures.wavefronts);
    visit("conflicts", version.figures.conflicts);
    visit("sectors", version.figures.sectors);
    visit("gflops", version.figures.gflops, kernels::above_zero);
    visit("right", version.figures.right, kernels::unless_empty);
    visit("how", version.figures.how);
}
using FileVersionPtr = std::shared_ptr<const FileVersion>;

class FileHistory {
public:
    static constexpr std::size_t most_of_file = 20;

    // Adds the version that ran. Returns whether it must be saved. A version with the text, parameters and size of the
    // last one replaces that one, keeps its number, and need not be saved. A version equal to an older one replaces
    // that one and gets a new number.
    bool add(const std::filesystem::path& file, const RunPtr& run);
    // Adds versions of earlier sessions, each file's oldest first. They come before the versions of this session.
    void know(const std::vector<FileVersionPtr>& kept);

    std::vector<FileVersionPtr> of(const std::filesystem::path& file) const; // oldest first
    FileVersionPtr find(const std::filesystem::path& file, uint64_t number) const;

private:
    static constexpr std::size_t most_recordings = 30; // of all files together

    void forget_some(const std::filesystem::path& file);

    std::deque<FileVersionPtr> versions_; // oldest first
};

// Stores the versions of user files on disk, so that they can be restored in a later session. Each source has one file
// in ".versions" inside the folder of the user's files.

// Returns the file that stores the versions of `source`. Depends on its whole path, because two files may have the same
// name.
std::filesystem::path kept_versions_file(const std::filesystem::path& folder, const std::filesystem::path& source);

// Serializes the versions of one source, without recordings.
std::string kept_versions_text(std::span<const FileVersionPtr> versions);

// Returns all stored versions, each source's oldest first. Skips damaged ones. Never throws.
std::vector<FileVersionPtr> read_kept_versions(const std::filesystem::path& folder);

} // namespace app
