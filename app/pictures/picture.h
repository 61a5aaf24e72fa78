// A picture in memory, written as PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace app {

struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint32_t> pixels; // 0xAABBGGRR, not multiplied by alpha; row by row from the top
};

using ReadTexture = std::function<Picture(unsigned texture)>; // of OpenGL, all of it

bool opaque(const Picture& picture);

// Without alpha where all of it is opaque. Throws kernels::Error.
std::vector<std::byte> png_of(const Picture& picture);

// Replaces the file as a whole. Throws kernels::Error naming the file.
void write_png(const Picture& picture, const std::filesystem::path& path);

} // namespace app
