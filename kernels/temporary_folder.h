// A folder for files that nobody keeps.
#pragma once

#include <filesystem>

namespace kernels {

// Nobody else may read it; it goes with its files when this goes.
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
    std::filesystem::path path_;
};

} // namespace kernels
