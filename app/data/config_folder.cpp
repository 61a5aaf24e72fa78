#include "app/data/config_folder.h"

#include "recording/disk.h"

#include <fmt/format.h>

#include <array>
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

namespace {

constexpr std::array<uint32_t, 256> make_table()
{
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = value >> 1 ^ ((value & 1) != 0 ? 0xedb88320u : 0u);
        table[i] = value;
    }
    return table;
}

} // namespace

uint32_t crc32(std::span<const std::byte> bytes)
{
    static constexpr std::array<uint32_t, 256> table = make_table();
    uint32_t value = ~0u;
    for (const std::byte byte : bytes)
        value = value >> 8 ^ table[(value ^ static_cast<uint32_t>(byte)) & 255];
    return ~value;
}

} // namespace app
