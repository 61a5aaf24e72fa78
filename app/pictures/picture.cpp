#include "app/pictures/picture.h"

#include "error.h"
#include "recording/disk.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace app {

namespace {

constexpr std::array<std::string_view, 9> names = {"png", "svg", "pdf", "gif", "mp4", "webm", "html", "csv", "json"};

} // namespace

std::string_view name(PictureFormat format)
{
    return names[static_cast<std::size_t>(format)];
}

PictureFormat format_of(const std::filesystem::path& file)
{
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (std::size_t i = 0; i < names.size(); ++i)
        if (ending == "." + std::string(names[i]))
            return static_cast<PictureFormat>(i);
    throw kernels::Error(
        "The file's ending says what is written: .png, .svg, .pdf, .gif, .mp4, .webm, .html, .csv or .json; \"" +
        file.string() + "\" has none of these.");
}

bool opaque(const Picture& picture)
{
    return std::ranges::all_of(picture.pixels, [](uint32_t pixel) { return pixel >> 24 == 0xff; });
}

std::vector<std::byte> png_of(const Picture& picture)
{
    const bool whole = opaque(picture);
    const std::size_t channels = whole ? 3 : 4;
    std::vector<uint8_t> bytes;
    bytes.reserve(channels * picture.pixels.size());
    for (const uint32_t pixel : picture.pixels)
        for (std::size_t i = 0; i < channels; ++i)
            bytes.push_back(static_cast<uint8_t>(pixel >> (8 * i)));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = whole ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
    png_alloc_size_t size = 0;
    if (png_image_write_get_memory_size(image, size, 0, bytes.data(), 0, nullptr) == 0)
        throw kernels::Error(std::string("The picture could not be encoded: ") + image.message + ".");
    std::vector<std::byte> encoded(size);
    if (png_image_write_to_memory(&image, encoded.data(), &size, 0, bytes.data(), 0, nullptr) == 0)
        throw kernels::Error(std::string("The picture could not be encoded: ") + image.message + ".");
    encoded.resize(size);
    return encoded;
}

void write_png(const Picture& picture, const std::filesystem::path& path)
{
    recording::write_atomically(path, png_of(picture));
}

} // namespace app
