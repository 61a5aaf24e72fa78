// The versions of files that ran, each with what it did: the one before stands beside the one that is shown, and each can be
// gone back to.
#pragma once

#include "app/tasks/run_file.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <vector>

namespace app {

using RunPtr = std::shared_ptr<const RunFileResult>;

struct FileVersion {
    uint64_t number = 0; // of the file, from 1
    std::filesystem::path file;
    RunPtr run;
};
using FileVersionPtr = std::shared_ptr<const FileVersion>;

class FileHistory {
public:
    // The version that ran. One with the text and the parameters of the last one takes its place, under its number.
    void add(const std::filesystem::path& file, const RunPtr& run);

    std::vector<FileVersionPtr> of(const std::filesystem::path& file) const; // oldest first
    FileVersionPtr find(const std::filesystem::path& file, uint64_t number) const;

private:
    static constexpr std::size_t most_kept = 30; // of all files: each has its recording

    std::deque<FileVersionPtr> versions_; // oldest first
};

} // namespace app
