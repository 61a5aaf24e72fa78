// The versions of files that ran, each with what it did: the one before stands beside the one that is shown, and each can be
// gone back to.
#pragma once

#include "app/tasks/run_file.h"

#include "base/fields.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace app {

using RunPtr = std::shared_ptr<const RunFileResult>;

// What is kept of it when its recording is not.
struct VersionFigures {
    bool shared = false; // it uses shared memory
    uint64_t wavefronts = 0, conflicts = 0, sectors = 0;
    std::optional<double> gflops;
    std::optional<bool> right; // none: it was not compared
    std::string how;           // "c++ 12.2.0, CPU"
    friend bool operator==(const VersionFigures&, const VersionFigures&) = default;
};
VersionFigures figures_of(const RunFileResult& run);

struct FileVersion {
    uint64_t number = 0; // of the file, from 1
    std::filesystem::path file;
    RunPtr run; // null: it is run again where it is to be shown
    std::string text;
    std::vector<recording::Parameter> parameters;
    recording::Problem problem;
    VersionFigures figures;
};
// But for its file, which all versions of one share, and its recording.
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

    // The version that ran. One with the text and the parameters of the last one takes its place, under its number; then it
    // is none to be kept: false. Of an older one alike it takes the place under a new number.
    bool add(const std::filesystem::path& file, const RunPtr& run);
    // Versions of earlier days, each file's oldest first; they come before those that ran since.
    void know(const std::vector<FileVersionPtr>& kept);

    std::vector<FileVersionPtr> of(const std::filesystem::path& file) const; // oldest first
    FileVersionPtr find(const std::filesystem::path& file, uint64_t number) const;

private:
    static constexpr std::size_t most_recordings = 30; // of all files

    void forget_some(const std::filesystem::path& file);

    std::deque<FileVersionPtr> versions_; // oldest first
};

} // namespace app
