// Writes what the window shows in each frame to the file named by GEMMSCOPE_WINDOW_STATE; see tests/window/README.md.
#pragma once

#include "app/panels/shell.h"
#include "app/platform/window.h"

#include "viz/marks.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>

namespace app {

class StateFile {
public:
    // Returns null if the variable is not set.
    static std::unique_ptr<StateFile> from_environment();

    explicit StateFile(std::filesystem::path path) : path_(std::move(path)) {}

    // Clears the marks of the last frame and makes the next frame fill them in.
    void frame_begins(Shell& shell);
    // Writes the file if something changed. Call it after the frame is on the screen.
    void frame_shown(Shell& shell, const WindowSize& pixels);

private:
    nlohmann::json describe(Shell& shell, const WindowSize& pixels) const;
    using Milliseconds = std::array<double, 61>; // durations of the last frames; frame i is at [i % size]
    double median(Milliseconds milliseconds) const;

    void note_input();

    std::filesystem::path path_;
    viz::Marks marks_;
    struct Pointer {
        int x = -1, y = -1; // in pixels; -1: outside the window
        bool pressed = false;
        std::size_t changes = 0; // number of changes of the button so far
        friend bool operator==(const Pointer&, const Pointer&) = default;
    } pointer_;
    std::size_t frames_since_input_ = 0;
    nlohmann::json written_;
    std::size_t frames_ = 0;
    std::chrono::steady_clock::time_point begun_; // start of the frame
    std::clock_t used_ = 0;                       // CPU time of the process at the start of the frame, on all cores
    double used_here_ = 0;                        // CPU time of this thread at the start of the frame, ms
    double latest_ = 0,
           latest_here_ = 0; // longest frame except the first few, in ms of real time and of this thread's CPU time
    Milliseconds passed_{}, computed_{};
};

} // namespace app
