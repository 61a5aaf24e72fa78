// A picture in memory, and its PNG form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace app {

struct Picture {
    uint32_t width = 0, height = 0;
    std::vector<uint32_t> pixels; // 0xAABBGGRR without premultiplied alpha, row by row from the top
};

using ReadTexture = std::function<Picture(unsigned texture)>; // reads a whole OpenGL texture

bool opaque(const Picture& picture);

// Encodes a picture. Omits alpha if the whole picture is opaque. Throws kernels::Error.
std::vector<std::byte> png_of(const Picture& picture);

// Replaces the file as a whole. Throws kernels::Error that names the file.
void write_png(const Picture& picture, const std::filesystem::path& path);

} // namespace app
