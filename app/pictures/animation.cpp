#include "app/pictures/animation.h"

#include "app/pictures/gif.h"
#include "app/pictures/video.h"

#include "error.h"

#include <string>

namespace app {

std::unique_ptr<Animation> make_animation(PictureFormat format, const std::filesystem::path& file, double per_second)
{
    switch (format) {
    case PictureFormat::gif: return std::make_unique<Gif>(file);
    case PictureFormat::mp4:
    case PictureFormat::webm: return std::make_unique<Video>(format, file, per_second);
    default: throw kernels::Error("A file ending in ." + std::string(name(format)) + " holds one picture only.");
    }
}

} // namespace app
