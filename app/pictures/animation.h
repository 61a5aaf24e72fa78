// Pictures one after another, in one file.
#pragma once

#include "app/pictures/format.h"
#include "app/pictures/picture.h"

#include <filesystem>
#include <memory>

namespace app {

class Animation {
public:
    virtual ~Animation() = default;
    // Shown for so long. All are of one size. Throws kernels::Error.
    virtual void add(const Picture& picture, int milliseconds) = 0;
    // Writes the file, which is there as a whole or not at all. Throws kernels::Error.
    virtual void finish() = 0;
};

// For a format that moves. `per_second`: of the pictures, which a video repeats while one stands. Throws kernels::Error where
// the machine has not what it takes.
std::unique_ptr<Animation> make_animation(PictureFormat format, const std::filesystem::path& file, double per_second);

} // namespace app
