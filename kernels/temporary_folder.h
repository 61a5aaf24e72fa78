// A folder for files that nobody keeps.
#pragma once

#include <filesystem>

namespace kernels {

// Nobody else may read it; it goes with its files when this goes. One whose process was killed goes when a later process makes
// its first beside it: a folder is in use as long as its process holds the lock on it, which ends with its process.
class TemporaryFolder {
public:
    // Below the preferred one where that is a folder, else below TMPDIR or /tmp. Throws Error where none can be made.
    explicit TemporaryFolder(const std::filesystem::path& preferred = {});
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

private:
    bool make(const std::filesystem::path& parent); // false: another process took it for abandoned, so make another

    std::filesystem::path path_;
    int lock_ = -1; // the folder, opened and locked
};

} // namespace kernels
