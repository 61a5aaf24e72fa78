// A picture in memory, written as PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace app {

struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint8_t> rgb; // 3 bytes per pixel, rows from the bottom up, as OpenGL reads them
};

// Replaces the file as a whole. Throws kernels::Error naming the file.
void write_png(const Picture& picture, const std::filesystem::path& path);

} // namespace app
