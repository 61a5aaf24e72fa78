#include "user_cache.h"

#include "error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace kernels {

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
