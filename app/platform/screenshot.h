// Renders a frame of the window to a picture.
#pragma once

#include "app/shell/opening.h"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace app {

struct ScreenshotOptions {
    WindowOptions window;
    int width = 1600, height = 1000; // in framebuffer pixels
    std::optional<std::size_t> step; // default: the default step
    std::optional<double> time;      // clock time of a race, instead of a step
    std::filesystem::path output;
    std::optional<std::filesystem::path>
        describe; // JSON file for the positions of all drawn marks and the number of words
};

// Renders one frame to a PNG after all recordings are made. Throws kernels::Error.
int run_screenshot(const ScreenshotOptions& options);

} // namespace app
