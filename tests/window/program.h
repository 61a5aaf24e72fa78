// gemmscope with its window open on a Display, as a person uses it: keys, clicks, and what the window says of itself.
#pragma once

#include "display.h"

#include "temporary_folder.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace test {

class Program {
public:
    using State = nlohmann::json; // see README.md
    using Environment = std::vector<std::pair<std::string, std::string>>;

    // Starts the program with empty settings and an empty cache, no shipped recordings and the environment's variables in
    // addition, and waits for its first settled frame.
    // Throws std::runtime_error with the program's messages when that does not come.
    Program(const Display& display, const std::vector<std::string>& arguments, const Environment& environment = {});
    ~Program(); // kills what still runs
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const State& state() const { return state_; }
    // From the start of the process until a frame is on the screen, and until that shows a recording.
    double first_frame_seconds() const { return first_frame_seconds_; }
    double first_recording_seconds() const { return first_recording_seconds_; }
    WindowId window() const { return window_; }
    pid_t process() const { return process_; }

    // Reads the state until `reached` holds. Throws std::runtime_error naming `what` where it hangs (waiting.h), or when
    // the program ended.
    const State& wait_for(const std::string& what, const std::function<bool(const State&)>& reached);
    const State& wait_settled();

    void press(const std::string& key, bool with_control = false);
    void click(const std::string& widget);
    void click(Point point);
    void show_view(const std::string& name); // by the Tab key
    // Middle of a widget's rectangle; throws when the frame has no such widget.
    Point middle(const std::string& widget) const;
    Rgb pixel(Point point) const { return display_.pixel(window_, point); }
    void point_at(Point point); // until the window has seen it and drawn what follows from it
    void resize(Size size) const { display_.resize(window_, size); }
    void close() const { display_.close(window_); }

    // Waits for the end; the exit status, or 128 + the signal.
    int exit_status();
    std::string messages() const; // standard output and error

private:
    void start(const std::vector<std::string>& arguments, const Environment& environment);
    bool read_state();   // false: nothing new that is whole
    void press_button(); // of the mouse, and release it
    bool running();

    const Display& display_;
    kernels::TemporaryFolder folder_; // everything it writes
    pid_t process_ = -1;
    std::optional<int> status_;
    WindowId window_ = 0;
    State state_;
    std::string text_; // that it was read from
    double first_frame_seconds_ = 0, first_recording_seconds_ = 0;
};

// The program with a command that needs no window, until its end.
struct Ran {
    int status = -1;
    std::string said; // standard output and error
};
Ran run_to_end(const std::vector<std::string>& arguments, const Program::Environment& environment = {});

// For a program that has the recordings of that folder; for one that has what is shipped, and no GPU.
Program::Environment recordings_in(const std::filesystem::path& folder);
Program::Environment shipped_without_gpu();

// Whether such a text of the state has the words.
bool has(const Program::State& state, const std::string& text, const std::string& words);
bool has_widget(const Program::State& state, const std::string& name);

// Of a [x, y, width, height] of the state.
Point middle_of(const Program::State& rectangle);
double right_of(const Program::State& rectangle);
double bottom_of(const Program::State& rectangle);

} // namespace test
