// Folders that the program makes: temporary ones, and the user's cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kernels {

// A folder that only the current user may read. The destructor removes it with its files. A process locks its folder
// while it runs. The first folder that a later process creates in the same parent removes all unlocked ones.
class TemporaryFolder {
public:
    // Creates the folder in `preferred` if that is a folder, otherwise in TMPDIR or /tmp. Throws Error if that fails.
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

// Returns $XDG_CACHE_HOME/gemmscope or ~/.cache/gemmscope; empty if neither variable is set.
std::filesystem::path user_cache();

// Creates the folder if it is missing. Throws Error if another user could put files into it. That is so if another user
// owns it, if it is a link, or if others than its owner may write to it. Code is loaded only from such a private
// folder.
std::filesystem::path private_folder(const std::filesystem::path& folder);

// Computes FNV-1a hashes, which detect accidental changes. An attacker could write the user's files anyway.
class Hash {
public:
    explicit Hash(uint64_t basis = 0xcbf29ce484222325u) : value(basis) {}
    Hash& add(std::string_view text)
    {
        for (const char c : text)
            value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        value = (value ^ 0xff) * 0x100000001b3u; // so that "ab" "c" and "a" "bc" differ
        return *this;
    }
    uint64_t value;
};

// Builds the name of a cache entry from everything that determines its content.
class CacheKey {
public:
    void add(std::string_view text)
    {
        low_.add(text);
        high_.add(text);
    }
    std::string text() const;

private:
    Hash low_, high_{0x9e3779b97f4a7c15u};
};

} // namespace kernels
