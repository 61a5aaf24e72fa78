#include "user_cache.h"

#include <fmt/format.h>

#include <cstdlib>

namespace kernels {

std::filesystem::path user_cache()
{
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
        return std::filesystem::path(folder) / "gemmscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::filesystem::path(home) / ".cache" / "gemmscope";
    return {};
}

std::string CacheKey::text() const
{
    return fmt::format("{:016x}{:016x}", high_.value, low_.value);
}

} // namespace kernels
