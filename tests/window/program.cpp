#include "program.h"
#include "tests/paths.h"
#include "tests/waiting.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <thread>

namespace test {

namespace {

constexpr auto glance = std::chrono::milliseconds(5);

// The child process becomes the program, which writes only into this folder.
[[noreturn]] void become_program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                                 const Program::Environment& environment)
{
    const int log = open((folder / "log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    const std::pair<const char*, std::string> variables[] = {
        {"XDG_CONFIG_HOME", folder / "config"},
        {"XDG_CACHE_HOME", folder / "cache"},
        {"XDG_DATA_HOME", folder / "data"},
        {"LIBGL_ALWAYS_SOFTWARE", "1"},
        {"__GLX_VENDOR_LIBRARY_NAME", "mesa"},
        {"GEMMSCOPE_RECORDINGS", folder / "none"},
        {"GEMMSCOPE_SIZE", "128"}, // one block of most stages, as most tests expect
    };
    for (const auto& [name, value] : variables)
        setenv(name, value.c_str(), 1);
    for (const auto& [name, value] : environment)
        setenv(name.c_str(), value.c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    std::vector<char*> words = {const_cast<char*>(PROGRAM)};
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(PROGRAM, words.data());
    _exit(127);
}

int exit_status_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

Ran run_to_end(const std::vector<std::string>& arguments, const Program::Environment& environment)
{
    const kernels::TemporaryFolder folder;
    const pid_t process = fork();
    if (process == 0)
        become_program(folder.path(), arguments, environment);
    int status = 0;
    waitpid(process, &status, 0);
    return {exit_status_of(status), text_of(folder / "log")};
}

Program::Program(const Display& display, const std::vector<std::string>& arguments, const Environment& environment)
    : display_(display)
{
    const auto started = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    start(arguments, environment);
    wait_for("a frame", [](const State&) { return true; });
    first_frame_seconds_ = seconds();
    const auto give_up = std::chrono::steady_clock::now() + hang;
    while ((window_ = display_.window_of(process_)) == 0) {
        if (!running() || std::chrono::steady_clock::now() > give_up)
            throw std::runtime_error("no window came:\n" + messages());
        std::this_thread::sleep_for(glance);
    }
    display_.place(window_, {0, 0});
    wait_settled();
    first_recording_seconds_ = seconds();
}

Program::~Program()
{
    if (running()) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

void Program::start(const std::vector<std::string>& arguments, const Environment& environment)
{
    process_ = fork();
    if (process_ != 0)
        return;
    Environment all{{"DISPLAY", display_.name()}, {"GEMMSCOPE_WINDOW_STATE", folder_ / "state.json"}};
    all.insert(all.end(), environment.begin(), environment.end());
    become_program(folder_.path(), arguments, all);
}

bool Program::running()
{
    int status = 0;
    if (!status_ && waitpid(process_, &status, WNOHANG) == process_)
        status_ = exit_status_of(status);
    return !status_;
}

bool Program::read_state()
{
    std::string text = text_of(folder_ / "state.json");
    if (text == text_) // usual: it is read more often than frames are drawn
        return false;
    State read = State::parse(text, nullptr, false);
    if (read.is_discarded())
        return false;
    state_ = std::move(read);
    text_ = std::move(text);
    return true;
}

const Program::State& Program::wait_for(const std::string& what, const Condition& reached)
{
    const auto give_up = std::chrono::steady_clock::now() + hang;
    for (;;) {
        read_state();
        if (!state_.is_null() && reached(state_))
            return state_;
        if (!running() || std::chrono::steady_clock::now() > give_up)
            throw std::runtime_error("waited in vain for " + what + "; the window says " + state_.dump() + "\n" +
                                     messages());
        std::this_thread::sleep_for(glance);
    }
}

void Program::press(const std::string& key, bool with_control)
{
    display_.press(key, with_control);
}

void Program::point_at(Point point)
{
    display_.move_pointer(window_, point);
    wait_for("the pointer there", [&](const State& state) {
        return state.at("pointer") == State{point.x, point.y} && state.at("pointer_drawn").get<bool>();
    });
}

void Program::press_button()
{
    read_state();
    for (const bool down : {true, false}) {
        const int before = state_.at("pointer_changes");
        display_.button(down);
        wait_for("its button", [&](const State& state) {
            return state.at("pointer_changes") > before && (!down || state.at("pointer_drawn").get<bool>());
        });
    }
}

void Program::click(Point point)
{
    point_at(point);
    press_button();
}

// A widget moves when results arrive. The pointer follows it until it stays in place.
void Program::click(const std::string& widget)
{
    constexpr int most = 20;
    Point point = middle(widget);
    for (int i = 0; i < most; ++i) {
        point_at(point);
        read_state();
        const Point now = middle(widget); // throws if the widget is gone
        if (now.x == point.x && now.y == point.y)
            return press_button();
        point = now;
    }
    throw std::runtime_error(widget + " never stood still to be clicked");
}

void Program::show_view(const std::string& name)
{
    const std::string first = state_.at("view");
    while (state_.at("view") != name) {
        const std::string before = state_.at("view");
        press("Tab");
        wait_for("the next view", [&](const State& state) { return state.at("view") != before; });
        if (state_.at("view") == first)
            throw std::runtime_error("there is no view " + name);
    }
}

Rect Program::widget(const std::string& name) const
{
    if (!shows(name))
        throw std::runtime_error("the window shows no " + name + " but " + state_.at("widgets").dump());
    return rect_of(state_, name);
}

int Program::exit_status()
{
    const auto give_up = std::chrono::steady_clock::now() + hang;
    while (running()) {
        if (std::chrono::steady_clock::now() > give_up)
            throw std::runtime_error("the program did not end:\n" + messages());
        std::this_thread::sleep_for(glance);
    }
    return *status_;
}

std::string Program::messages() const
{
    return text_of(folder_ / "log");
}

Program::Environment recordings_in(const std::filesystem::path& folder)
{
    return {{"GEMMSCOPE_RECORDINGS", folder}, {"GEMMSCOPE_SIZE", ""}}; // recordings have sizes of whole tiles
}

Program::Environment shipped_without_gpu()
{
    return {{"GEMMSCOPE_RECORDINGS", shipped()}, {"GEMMSCOPE_SIZE", ""}, {"CUDA_VISIBLE_DEVICES", "-1"}};
}

Program::Condition gone(const std::string& widget)
{
    return [=](const State& state) { return !has_widget(state, widget); };
}

Program::Condition is(const std::string& member, const State& value)
{
    return [=](const State& state) { return state.at(member) == value; };
}

Program::Condition is_not(const std::string& member, const State& value)
{
    return [=](const State& state) { return state.at(member) != value; };
}

Program::Condition is(const std::string& object, const std::string& member, const State& value)
{
    return [=](const State& state) { return state.at(object).at(member) == value; };
}

Program::Condition is_not(const std::string& object, const std::string& member, const State& value)
{
    return [=](const State& state) { return state.at(object).at(member) != value; };
}

Program::Condition mentions(const std::string& text, const std::string& words)
{
    return [=](const State& state) { return has(state, text, words); };
}

Program::Condition lacks(const std::string& text, const std::string& words)
{
    return [=](const State& state) { return !has(state, text, words); };
}

bool has_widget(const State& state, const std::string& name)
{
    return state.at("widgets").contains(name);
}

bool has(const State& state, const std::string& text, const std::string& words)
{
    return state.at(text).get<std::string>().find(words) != std::string::npos;
}

Rect rect_of(const State& state, const std::string& widget)
{
    return state.at("widgets").at(widget).get<Rect>();
}

Point Rect::at(double across, double down) const
{
    return {static_cast<int>(left + across * width), static_cast<int>(top + down * height)};
}

Point Rect::inside(int right, int down) const
{
    return {static_cast<int>(left) + right, static_cast<int>(top) + down};
}

void from_json(const nlohmann::json& state, Rect& rect)
{
    rect = {state.at(0), state.at(1), state.at(2), state.at(3)};
}

std::ostream& operator<<(std::ostream& stream, const Rect& rect)
{
    return stream << rect.width << " x " << rect.height << " at " << rect.left << ", " << rect.top;
}

} // namespace test
