// A sequence of pictures in one file.
#pragma once

#include "app/pictures/format.h"
#include "app/pictures/picture.h"

#include <filesystem>
#include <memory>

namespace app {

class Animation {
public:
    virtual ~Animation() = default;
    // Adds a picture that is shown for this time. All pictures have the same size. Throws kernels::Error.
    virtual void add(const Picture& picture, int milliseconds) = 0;
    // Writes the file completely or not at all. Throws kernels::Error.
    virtual void finish() = 0;
};

// Creates an animation for a format with motion. `per_second` is the frame rate; a video repeats a picture that lasts
// longer. Throws kernels::Error if the machine lacks a required program.
std::unique_ptr<Animation> make_animation(PictureFormat format, const std::filesystem::path& file, double per_second);

} // namespace app
