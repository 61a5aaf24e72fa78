#include "app/data/config_folder.h"

#include "recording/disk.h"

#include <zlib.h>

#include <cstdlib>

namespace app {

namespace {

std::filesystem::path own_folder(const char* variable, const char* below_home)
{
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0')
        return std::filesystem::path(folder) / "gemmscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::filesystem::path(home) / below_home / "gemmscope";
    return {};
}

} // namespace

std::filesystem::path config_folder()
{
    return own_folder("XDG_CONFIG_HOME", ".config");
}

std::filesystem::path data_folder()
{
    return own_folder("XDG_DATA_HOME", ".local/share");
}

std::filesystem::path own_stages_folder()
{
    if (const char* folder = std::getenv("GEMMSCOPE_STAGES"); folder != nullptr && *folder != '\0')
        return folder;
    const std::filesystem::path data = data_folder();
    return data.empty() ? data : data / "stages";
}

std::filesystem::path unpacked_folder()
{
    const std::filesystem::path folder = data_folder();
    return folder.empty() ? folder : folder / "opened";
}

bool is_unpacked(const std::filesystem::path& file)
{
    std::error_code unknown;
    const std::filesystem::path inside = std::filesystem::relative(file, unpacked_folder(), unknown);
    return !unknown && !inside.empty() && *inside.begin() != "..";
}

void write_whole(const std::filesystem::path& file, std::string_view text)
{
    std::error_code ignored; // the write below reports the error
    std::filesystem::create_directories(file.parent_path(), ignored);
    recording::write_atomically(file, text);
}

uint32_t crc32(std::span<const std::byte> bytes)
{
    return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

} // namespace app
