// A temporary folder.
#pragma once

#include <filesystem>

namespace kernels {

// Only the current user may read the folder; the destructor removes it with its files. A process locks its folder for
// as long as it runs. The first folder that a later process creates in the same parent removes all unlocked ones.
class TemporaryFolder {
public:
    // Creates the folder below `preferred` if that is a folder, else below TMPDIR or /tmp. Throws Error if it cannot be
    // created.
    explicit TemporaryFolder(const std::filesystem::path& preferred = {});
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

private:
    bool make(const std::filesystem::path& parent); // false: another process removed it as abandoned, so create another

    std::filesystem::path path_;
    int lock_ = -1; // file descriptor of the folder, open and locked
};

} // namespace kernels
