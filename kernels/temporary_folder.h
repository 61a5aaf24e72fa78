// A folder for files that nobody keeps.
#pragma once

#include <filesystem>

namespace kernels {

// Only its user may read it, and it is removed with its files by the destructor. A process locks its folder as long as it lives; the
// first folder that a later process makes in the same place removes those that no process locks.
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
