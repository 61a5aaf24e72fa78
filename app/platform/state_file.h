// Tells what the window shows, frame by frame, in the file that GEMMSCOPE_WINDOW_STATE names; see tests/window/README.md.
#pragma once

#include "app/platform/glfw_window.h"
#include "app/shell/shell.h"

#include "viz/marks.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <memory>

namespace app {

class StateFile {
public:
    // Null where the variable is not set.
    static std::unique_ptr<StateFile> from_environment();

    explicit StateFile(std::filesystem::path path) : path_(std::move(path)) {}

    // Empties the marks of the frame before, and has the next one filled in.
    void frame_begins(Shell& shell);
    // The frame is on the screen. Writes the file if something changed.
    void frame_shown(Shell& shell, const WindowSize& pixels);

private:
    nlohmann::json describe(Shell& shell, const WindowSize& pixels) const;
    using Milliseconds = std::array<double, 61>; // of the last frames, at [frame % size]
    double median(Milliseconds milliseconds) const;

    void note_input();

    std::filesystem::path path_;
    viz::Marks marks_;
    struct Pointer {
        int x = -1, y = -1; // in pixels; -1: it is not over the window
        bool pressed = false;
        std::size_t changes = 0; // of the button, until now
        friend bool operator==(const Pointer&, const Pointer&) = default;
    } pointer_;
    std::size_t frames_since_input_ = 0;
    nlohmann::json written_;
    std::size_t frames_ = 0;
    std::chrono::steady_clock::time_point begun_; // the frame
    std::clock_t used_ = 0;                       // by then, on all cores
    double used_here_ = 0;                        // by then, by this thread, ms
    double latest_ = 0,
           latest_here_ = 0; // the longest frame but for the first ones, ms; the same in this thread's time
    Milliseconds passed_{}, computed_{};
};

} // namespace app
