#include "app/platform/picture.h"

#include "error.h"
#include "recording/disk.h"

#include <png.h>

#include <string>
#include <vector>

namespace app {

void write_png(const Picture& picture, const std::filesystem::path& path)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = PNG_FORMAT_RGB;
    const auto stride = -static_cast<png_int_32>(picture.width * 3); // negative: the last row comes first
    png_alloc_size_t bytes = 0;
    if (png_image_write_get_memory_size(image, bytes, 0, picture.rgb.data(), stride, nullptr) == 0)
        throw kernels::Error(std::string("The picture could not be encoded: ") + image.message + ".");
    std::vector<std::byte> encoded(bytes);
    if (png_image_write_to_memory(&image, encoded.data(), &bytes, 0, picture.rgb.data(), stride, nullptr) == 0)
        throw kernels::Error(std::string("The picture could not be encoded: ") + image.message + ".");
    recording::write_atomically(path, std::span(encoded).first(bytes));
}

} // namespace app
