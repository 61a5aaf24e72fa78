// gemmscope with its window open on a Display, as a person uses it: keys, clicks, and what the window says of itself.
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

// Where something is, in pixels of the window. In the state it is [x, y, width, height].
struct Rect {
    double left = 0, top = 0, width = 0, height = 0;
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    // So much of the width and of the height away from the upper left corner.
    Point at(double across, double down) const;
    Point middle() const { return at(0.5, 0.5); }
    // Pixels away from the upper left corner, by default so far inside that neither an outline nor words are there.
    Point inside(int right = 5, int down = 5) const;
    // The middle of a cell of a grid, so many cells away from this one.
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

    // Starts the program with empty settings and an empty cache, no shipped recordings and the environment's variables
    // in addition, and waits for its first settled frame. Throws std::runtime_error with the program's messages when
    // that does not come.
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

    // Reads the state until all conditions hold at once. Throws std::runtime_error naming `what` where it hangs
    // (waiting.h), or when the program ended.
    const State& wait_for(const std::string& what, const Condition& reached);
    template <class... More>
    const State& wait_for(const std::string& what, const Condition& first, const More&... more)
    {
        return wait_for(what, [&](const State& state) { return first(state) && (more(state) && ...); });
    }
    // The same for a frame behind which nothing more changes by itself.
    template <class... All>
    const State& wait_settled(const std::string& what, const All&... all)
    {
        return wait_for(what, [&](const State& state) { return state.at("settled") && (all(state) && ...); });
    }
    const State& wait_settled() { return wait_settled("a settled frame"); }

    void press(const std::string& key, bool with_control = false);
    void click(const std::string& widget);
    void click(Point point);
    void show_view(const std::string& name); // by the Tab key
    bool shows(const std::string& widget) const { return state_.at("widgets").contains(widget); }
    // Throw when the frame has no such widget.
    Rect widget(const std::string& name) const;
    Point middle(const std::string& widget) const { return this->widget(widget).middle(); }
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

using State = Program::State;

// What tests wait for: the frame has all of these widgets, or has that one no more.
template <class... Names>
Program::Condition shown(const Names&... names)
{
    return [all = std::vector<std::string>{names...}](const State& state) {
        return std::ranges::all_of(all, [&](const auto& name) { return state.at("widgets").contains(name); });
    };
}
Program::Condition gone(const std::string& widget);
// A member of the state has this value, or has it no more; and so has a member of its object `learning`.
Program::Condition is(const std::string& member, const State& value);
Program::Condition is_not(const std::string& member, const State& value);
Program::Condition is(const std::string& object, const std::string& member, const State& value);
Program::Condition is_not(const std::string& object, const std::string& member, const State& value);
// A text of the state has these words, or has them no more.
Program::Condition mentions(const std::string& text, const std::string& words);
Program::Condition lacks(const std::string& text, const std::string& words);

// Whether such a text of the state has the words.
bool has(const State& state, const std::string& text, const std::string& words);
bool has_widget(const State& state, const std::string& name);
Rect rect_of(const State& state, const std::string& widget);

} // namespace test
