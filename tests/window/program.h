// gemmscope with its window on a Display. Tests press keys, click, and read the state that the window writes.
#pragma once

#include "display.h"

#include "temporary_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace test {

// A rectangle in pixels of the window. The state contains it as [x, y, width, height].
struct Rect {
    double left = 0, top = 0, width = 0, height = 0;
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    // Returns the point at these fractions of width and height.
    Point at(double across, double down) const;
    Point middle() const { return at(0.5, 0.5); }
    // Returns the point at this distance in pixels from the upper left corner. By default it is clear of outline and
    // text.
    Point inside(int right = 5, int down = 5) const;
    // Returns the middle of the grid cell that is so many cells to the right and below.
    Point away(int right, int down) const { return at(right + 0.5, down + 0.5); }
    friend bool operator==(const Rect&, const Rect&) = default;
};
void from_json(const nlohmann::json& state, Rect& rect);
std::ostream& operator<<(std::ostream& stream, const Rect& rect);

class Program {
public:
    using State = nlohmann::json; // see README.md
    using Condition = std::function<bool(const State&)>;
    using Environment = std::vector<std::pair<std::string, std::string>>;

    // Starts the program with empty settings, an empty cache, no shipped recordings, and this environment. Waits for
    // the first settled frame. Without one, throws std::runtime_error with the program's messages.
    Program(const Display& display, const std::vector<std::string>& arguments, const Environment& environment = {});
    ~Program(); // kills the program if it still runs
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const State& state() const { return state_; }
    // Seconds from the start of the process to the first frame, and to the first frame with a recording.
    double first_frame_seconds() const { return first_frame_seconds_; }
    double first_recording_seconds() const { return first_recording_seconds_; }
    WindowId window() const { return window_; }
    pid_t process() const { return process_; }

    // Reads the state until all conditions hold at once. If the program ends or makes no progress (waiting.h), throws
    // std::runtime_error that contains `what`.
    const State& wait_for(const std::string& what, const Condition& reached);
    template <class... More>
    const State& wait_for(const std::string& what, const Condition& first, const More&... more)
    {
        return wait_for(what, [&](const State& state) { return first(state) && (more(state) && ...); });
    }
    // Also waits until the frame is settled, so that nothing changes by itself.
    template <class... All>
    const State& wait_settled(const std::string& what, const All&... all)
    {
        return wait_for(what, [&](const State& state) { return state.at("settled") && (all(state) && ...); });
    }
    const State& wait_settled() { return wait_settled("a settled frame"); }

    void press(const std::string& key, bool with_control = false);
    void click(const std::string& widget);
    void click(Point point);
    void show_view(const std::string& name); // presses Tab until it is shown
    bool shows(const std::string& widget) const { return state_.at("widgets").contains(widget); }
    // Throw if the frame has no such widget.
    Rect widget(const std::string& name) const;
    Point middle(const std::string& widget) const { return this->widget(widget).middle(); }
    Rgb pixel(Point point) const { return display_.pixel(window_, point); }
    void point_at(Point point); // waits until a frame is drawn with it
    void resize(Size size) const { display_.resize(window_, size); }
    void close() const { display_.close(window_); }

    // Waits for the end of the program. Returns its exit status, or 128 + the signal.
    int exit_status();
    std::string messages() const; // standard output and error

private:
    void start(const std::vector<std::string>& arguments, const Environment& environment);
    bool read_state();   // false: there is no new complete state
    void press_button(); // presses and releases the mouse button
    bool running();

    const Display& display_;
    kernels::TemporaryFolder folder_; // contains everything that the program writes
    pid_t process_ = -1;
    std::optional<int> status_;
    WindowId window_ = 0;
    State state_;
    std::string text_; // the text of state_
    double first_frame_seconds_ = 0, first_recording_seconds_ = 0;
};

// The result of a command that needs no window.
struct Ran {
    int status = -1;
    std::string said; // standard output and error
};
Ran run_to_end(const std::vector<std::string>& arguments, const Program::Environment& environment = {});

// Environments: with the recordings in that folder; with the shipped files and no GPU.
Program::Environment recordings_in(const std::filesystem::path& folder);
Program::Environment shipped_without_gpu();

using State = Program::State;

// Conditions to wait for. shown(): the frame has all of these widgets. gone(): it has no such widget.
template <class... Names>
Program::Condition shown(const Names&... names)
{
    return [all = std::vector<std::string>{names...}](const State& state) {
        return std::ranges::all_of(all, [&](const auto& name) { return state.at("widgets").contains(name); });
    };
}
Program::Condition gone(const std::string& widget);
// Compare a member of the state, or of an object in the state such as `learning`, with a value.
Program::Condition is(const std::string& member, const State& value);
Program::Condition is_not(const std::string& member, const State& value);
Program::Condition is(const std::string& object, const std::string& member, const State& value);
Program::Condition is_not(const std::string& object, const std::string& member, const State& value);
// mentions(): a text of the state contains these words. lacks(): it does not.
Program::Condition mentions(const std::string& text, const std::string& words);
Program::Condition lacks(const std::string& text, const std::string& words);

// Returns whether this text of the state contains the words.
bool has(const State& state, const std::string& text, const std::string& words);
bool has_widget(const State& state, const std::string& name);
Rect rect_of(const State& state, const std::string& widget);

} // namespace test
