#include "app/picture.h"

#include "error.h"

#include <png.h>
#include <unistd.h>

#include <string>

namespace app {

void write_png(const Picture& picture, const std::filesystem::path& path)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = PNG_FORMAT_RGB;
    const std::string unfinished = path.string() + "." + std::to_string(getpid());
    const auto stride = -static_cast<png_int_32>(picture.width * 3); // negative: the last row comes first
    if (png_image_write_to_file(&image, unfinished.c_str(), 0, picture.rgb.data(), stride, nullptr) == 0) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw kernels::Error("The picture could not be written to " + path.string() + " (" + image.message +
                             "); check that its directory exists and can be written to.");
    }
    std::error_code error;
    std::filesystem::rename(unfinished, path, error);
    if (error)
        throw kernels::Error("The picture could not be moved to " + path.string() + ": " + error.message() + ".");
}

} // namespace app
