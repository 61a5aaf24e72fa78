#include "app/catalogue/config_folder.h"

#include "recording/disk.h"

#include <cstdlib>

namespace app {

std::filesystem::path config_folder()
{
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config != '\0')
        return std::filesystem::path(config) / "gemmscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::filesystem::path(home) / ".config" / "gemmscope";
    return {};
}

void write_kept(const std::filesystem::path& file, std::string_view text)
{
    std::error_code ignored; // writing says why
    std::filesystem::create_directories(file.parent_path(), ignored);
    recording::write_atomically(file, text);
}

} // namespace app
