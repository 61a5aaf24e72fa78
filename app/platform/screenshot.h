// Writes one picture of the window to a file, once everything in it is known.
#pragma once

#include "app/panels/opening.h"
#include "app/panels/shell.h"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace app {

// Waits until everything for a picture is known.

// Waits until every recording is made. Also waits for the ladder's figures, but for a limited time: a slow machine's
// picture shows them as missing. Throws kernels::Error if a stage could not be recorded.
void settle(Shell& shell);

// Selects a step. Throws kernels::Error if the chosen warp does not have it.
void set_step(Shell& shell, std::size_t step);

// Renders a frame of the window to a picture.
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

// A page about one or two stages: pictures, figures with their origins, conflicts, sectors, occupancy and the source.

// Writes a self-contained HTML file. Throws kernels::Error.
int write_report(const WindowOptions& options, const std::filesystem::path& output);

} // namespace app
