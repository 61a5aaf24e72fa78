// The window, and the same frame rendered to a picture.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace app {

struct WindowOptions {
    std::string stage = "vectorized";
    std::string compare; // empty: one stage
    std::string view = "banks";
    std::string code; // below the source: "machine", "ptx" or "counters"; empty: the access in words
    std::optional<std::filesystem::path> file; // a recording to open instead of making one
    std::optional<std::string> backend;        // "cuda" or "cpu"; default: the best there is
    std::optional<bool> light;                 // default: as saved, else dark
    std::optional<float> scale;                // default: the monitor's times the saved one
    bool candidates = false; // open what a search for the stage's parameters tried, where that is shipped
};

struct ScreenshotOptions {
    WindowOptions window;
    int width = 1600, height = 1000; // framebuffer pixels
    std::optional<std::size_t> step; // default: the one that tells most
    std::optional<double> time;      // of the clock that both stages run on, instead of a step
    std::filesystem::path output;
    std::optional<std::filesystem::path>
        describe; // a JSON file: what is drawn where, and how many words stand around it
};

// Opens the window and returns when it is closed: 0, or throws kernels::Error (no display, no OpenGL 3.3).
int run_window(const WindowOptions& options);

// Renders one settled frame (all recordings made) into a PNG. Throws kernels::Error.
int run_screenshot(const ScreenshotOptions& options);

} // namespace app
