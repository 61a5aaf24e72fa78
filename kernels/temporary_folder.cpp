#include "temporary_folder.h"

#include "error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kernels {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "gemmscope-temporary-", made_up = "XXXXXX";

int open_folder(const fs::path& folder)
{
    return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove_if_abandoned(const fs::path& folder)
{
    const int opened = open_folder(folder);
    struct stat status {};
    std::error_code ignored; // on failure, the next process that creates a folder tries again
    if (opened >= 0 && fstat(opened, &status) == 0 && status.st_uid == getuid() &&
        flock(opened, LOCK_EX | LOCK_NB) == 0)
        fs::remove_all(folder, ignored);
    if (opened >= 0)
        close(opened);
}

// Removes abandoned folders. This runs once per parent, so folders abandoned later are left to a later process.
void remove_abandoned(const fs::path& parent)
{
    static std::mutex mutex;
    static std::set<fs::path> looked_through;
    const std::lock_guard lock(mutex);
    if (!looked_through.insert(parent).second)
        return;
    std::error_code error;
    std::set<fs::path> found; // collected first, because the loop below removes them
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error))
        if (const std::string name = at->path().filename().string();
            name.starts_with(beginning) && name.size() == beginning.size() + made_up.size())
            found.insert(at->path());
    for (const fs::path& folder : found)
        remove_if_abandoned(folder);
}

} // namespace

TemporaryFolder::TemporaryFolder(const fs::path& preferred)
{
    std::error_code error;
    const fs::path parent = fs::is_directory(preferred, error) ? preferred : fs::temp_directory_path(error);
    if (!error) {
        remove_abandoned(parent);
        while (!make(parent)) {
        }
    }
    if (path_.empty())
        throw Error(
            "There is no folder for temporary files: set TMPDIR to one that can be written, on a disk that is not "
            "full.");
}

bool TemporaryFolder::make(const fs::path& parent)
{
    std::string name = (parent / beginning).string().append(made_up);
    if (mkdtemp(name.data()) == nullptr)
        return true;
    const int opened = open_folder(name);
    // Another process may have found the folder before it was locked, and removed it as abandoned.
    const bool is_removed = opened < 0 && errno == ENOENT;
    struct stat locked {
    }, there{};
    flock(opened, LOCK_EX); // a file system without locks has no abandoned folders either
    const bool is_there = fstat(opened, &locked) == 0 && lstat(name.c_str(), &there) == 0 &&
                          locked.st_ino == there.st_ino && locked.st_dev == there.st_dev;
    if (is_there) {
        path_ = name;
        lock_ = opened;
    } else if (opened >= 0) {
        close(opened);
    }
    return is_there || (opened < 0 && !is_removed);
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    close(lock_);
}

std::filesystem::path user_cache()
{
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
        return std::filesystem::path(folder) / "gemmscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return std::filesystem::path(home) / ".cache" / "gemmscope";
    return {};
}

std::filesystem::path private_folder(const std::filesystem::path& folder)
{
    std::error_code ignored; // a missing folder is reported below
    std::filesystem::create_directories(folder.parent_path(), ignored);
    mkdir(folder.c_str(), S_IRWXU);
    struct stat status {};
    if (lstat(folder.c_str(), &status) != 0)
        throw Error(
            fmt::format("The folder {} cannot be made: {}. Set XDG_CACHE_HOME to a folder in which you may write.",
                        folder.string(), std::generic_category().message(errno)));
    if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw Error(
            fmt::format("Nothing is loaded from {}: others than you could have put it there. Remove that folder, "
                        "or set XDG_CACHE_HOME to a folder of your own.",
                        folder.string()));
    return folder;
}

std::string CacheKey::text() const
{
    return fmt::format("{:016x}{:016x}", high_.value, low_.value);
}

} // namespace kernels
