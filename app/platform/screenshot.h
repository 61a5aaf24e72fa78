// The window's frame, rendered to a picture.
#pragma once

#include "app/shell/opening.h"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace app {

struct ScreenshotOptions {
    WindowOptions window;
    int width = 1600, height = 1000; // framebuffer pixels
    std::optional<std::size_t> step; // default: the one that tells most
    std::optional<double> time;      // of the clock that both stages run on, instead of a step
    std::filesystem::path output;
    std::optional<std::filesystem::path>
        describe; // a JSON file: what is drawn where, and how many words stand around it
};

// Renders one settled frame (all recordings made) into a PNG. Throws kernels::Error.
int run_screenshot(const ScreenshotOptions& options);

} // namespace app
