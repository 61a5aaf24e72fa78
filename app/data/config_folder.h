// Folders in which gemmscope stores data between runs, and the checksums of what is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace app {

// Returns $XDG_CONFIG_HOME/gemmscope or ~/.config/gemmscope. Empty if neither variable is set. The folder need not
// exist.
std::filesystem::path config_folder();

// Returns $XDG_DATA_HOME/gemmscope or ~/.local/share/gemmscope, for files that the user made and may want to keep.
// Empty if neither variable is set. The folder need not exist.
std::filesystem::path data_folder();

// Returns the subfolder of the user's stages and other CUDA files; GEMMSCOPE_STAGES overrides it.
std::filesystem::path own_stages_folder();

// Returns the subfolder for files unpacked from saved states, which may come from other people. Saved states are
// unpacked only there.
std::filesystem::path unpacked_folder();
bool is_unpacked(const std::filesystem::path& file);

// Writes the whole file or nothing, in these folders or elsewhere. Creates its folder first. Throws kernels::Error.
void write_whole(const std::filesystem::path& file, std::string_view text);

// CRC-32 as in zlib and PNG. It detects damage, not tampering.
uint32_t crc32(std::span<const std::byte> bytes);
inline uint32_t crc32(std::string_view text)
{
    return crc32(std::as_bytes(std::span(text)));
}

} // namespace app
