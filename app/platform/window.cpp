#include "app/platform/window.h"

#include "app/panels/shell.h"
#include "app/platform/export.h"
#include "app/platform/gui.h"
#include "app/platform/keyboard.h"
#include "app/platform/state_file.h"
#include "app/workspace/layout.h"

#include "error.h"

#include <epoxy/gl.h>
#include <imgui.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace app {

namespace {

std::string last_error()
{
    const char* words = nullptr;
    glfwGetError(&words);
    return words == nullptr ? "no reason was given" : words;
}

bool set(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

void start_glfw()
{
    if (glfwInit() == GLFW_TRUE)
        return;
    const std::string reason = last_error();
    if (!set("DISPLAY") && !set("WAYLAND_DISPLAY"))
        throw kernels::Error(
            "There is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set. On a "
            "machine without a screen the program xvfb-run (Debian package xvfb) provides one: "
            "xvfb-run gemmscope ...");
    throw kernels::Error("The display could not be opened (" + reason +
                         "); check that DISPLAY names one that you may use.");
}

} // namespace

GlfwWindow::GlfwWindow(WindowSize size, bool visible)
{
    start_glfw();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
    window_ = glfwCreateWindow(size.width, size.height, "gemmscope", nullptr, nullptr);
    if (window_ == nullptr) {
        const std::string reason = last_error();
        glfwTerminate();
        throw kernels::Error(
            "No window with OpenGL 3.3 could be opened (" + reason +
            "); install the graphics driver, or Mesa's software one (Debian package libgl1-mesa-dri).");
    }
    glfwSetWindowSizeLimits(window_, 480, 360, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
}

GlfwWindow::~GlfwWindow()
{
    glfwDestroyWindow(window_);
    glfwTerminate();
}

WindowSize GlfwWindow::framebuffer() const
{
    WindowSize size;
    glfwGetFramebufferSize(window_, &size.width, &size.height);
    return size;
}

WindowSize GlfwWindow::size() const
{
    WindowSize size;
    glfwGetWindowSize(window_, &size.width, &size.height);
    return size;
}

float GlfwWindow::monitor_scale() const
{
    float scale = 1, vertical = 1;
    glfwGetWindowContentScale(window_, &scale, &vertical);
    // Divides by the scaling that is already applied where a unit has several pixels (Wayland, macOS).
    const WindowSize pixels = framebuffer(), units = size();
    const float done = units.width > 0 ? static_cast<float>(pixels.width) / static_cast<float>(units.width) : 1;
    return scale > 0 && done > 0 ? scale / done : 1;
}

bool GlfwWindow::closes() const
{
    return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr int frames_after_input = 3; // ImGui shows the effect of an input one or two frames later
constexpr double frame_seconds = 1.0 / 60;
// Fewer frames leave processor time to recordings that are made meanwhile.
constexpr double software_frame_seconds = 1.0 / 32;

float scale_for(const WindowOptions& options, const Settings& settings, float monitor_scale)
{
    return std::clamp(options.scale.value_or(monitor_scale) * settings.scale, 0.5f, 4.0f);
}

class Window {
public:
    explicit Window(const WindowOptions& options)
        : options_(options), path_(settings_path()), saved_(load_settings(path_)), window_({1600, 1000}, true),
          keyboard_(window_.get()), gui_(window_.get()), shell_(options, start_settings(), [] { glfwPostEmptyEvent(); })
    {
    }

    void run()
    {
        while (!window_.closes() && !shell_.quits()) {
            wait();
            frame();
        }
        save_settings_if_changed();
    }

private:
    // Returns the initial settings. An option of this run overrides a stored setting.
    Settings start_settings() const
    {
        Settings settings = saved_;
        settings.light = options_.light.value_or(settings.light);
        if (options_.scale)
            settings.scale = 1;
        return settings;
    }

    // Waits until there is something new to draw: input, results or motion. Also draws occasionally for texts such as
    // "2 min ago" and for the caret of a text field.
    void wait()
    {
        if (frames_left_ > 0 || shell_.moves()) {
            const double passed = std::chrono::duration<double>(Clock::now() - last_frame_).count();
            const double wanted = gui_.draws_in_software() ? software_frame_seconds : frame_seconds;
            if (passed < wanted)
                std::this_thread::sleep_for(std::chrono::duration<double>(wanted - passed));
            glfwPollEvents();
            frames_left_ = std::max(frames_left_ - 1, 0);
        } else {
            glfwWaitEventsTimeout(ImGui::GetIO().WantTextInput ? 0.5 : 30);
            frames_left_ = frames_after_input;
        }
    }

    void frame()
    {
        const auto now = Clock::now();
        const double seconds = std::min(std::chrono::duration<double>(now - last_frame_).count(), 0.25);
        last_frame_ = now;
        if (state_file_)
            state_file_->frame_begins(shell_);
        take_input();
        shell_.poll();
        renew_theme();
        gui_.begin_frame();
        quick_keys_.press(window_.get(), keyboard_.take_pressed());
        if (quick_keys_.waits())
            frames_left_ = frames_after_input;
        ImGui::NewFrame();
        if (mouse_did_something())
            frames_left_ = frames_after_input;
        const WindowSize size = window_.size();
        shell_.draw(static_cast<float>(size.width), static_cast<float>(size.height), seconds);
        go_on_exporting();
        const WindowSize pixels = window_.framebuffer();
        gui_.show(pixels.width, pixels.height, shell_.theme(), keyboard_.take_exposed());
        if (state_file_)
            state_file_->frame_shown(shell_, pixels);
        if (frames_left_ == 0)
            save_settings_if_changed();
    }

    // Checks ImGui's own mouse state. The event may have come with the last due frame, and ImGui takes two frames for a
    // press and a release.
    static bool mouse_did_something()
    {
        const ImGuiIO& io = ImGui::GetIO();
        bool button = false;
        for (int i = 0; i < ImGuiMouseButton_COUNT; ++i)
            button |= io.MouseClicked[i] || io.MouseReleased[i];
        return button || io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 || io.MouseWheelH != 0;
    }

    void take_input()
    {
        for (const KeyChord& chord : keyboard_.take_chords()) {
            shell_.press(chord);
            frames_left_ = frames_after_input;
        }
        for (const auto& file : keyboard_.take_dropped_files())
            shell_.open(file);
    }

    void renew_theme()
    {
        const Settings settings = shell_.settings();
        const float chosen = scale_for(options_, settings, window_.monitor_scale());
        const WindowSize room = window_.size();
        const float wanted = std::min(chosen * (shell_.presents() ? Presenting::scale : 1.0f), 4.0f);
        const float scale = fitting_scale(wanted, static_cast<float>(room.width), static_cast<float>(room.height));
        shell_.set_type_fits(scale / wanted);
        if (shell_.theme().text != nullptr && shell_.theme().dark == !settings.light && shell_.theme().scale == scale)
            return;
        shell_.theme() = viz::make_theme(!settings.light, scale);
        gui_.use(shell_.theme());
        frames_left_ = frames_after_input;
    }

    // Draws one picture of an export per frame; another thread writes them.
    void go_on_exporting()
    {
        if (const std::optional<std::string> notice = exports_.go_on(shell_)) {
            shell_.say(*notice);
            frames_left_ = frames_after_input;
        }
    }

    void save_settings_if_changed()
    {
        Settings settings = shell_.settings();
        if (options_.light && settings.light == *options_.light)
            settings.light = saved_.light;
        if (options_.scale && settings.scale == 1)
            settings.scale = saved_.scale;
        if (settings == saved_)
            return;
        saved_ = settings;
        if (const std::string why_not = save_settings(settings, path_); !why_not.empty()) {
            shell_.say("The window's settings could not be kept. " + why_not);
            frames_left_ = frames_after_input;
        }
    }

    WindowOptions options_;
    std::filesystem::path path_;
    Settings saved_;
    GlfwWindow window_;
    Keyboard keyboard_;
    QuickKeys quick_keys_;
    Gui gui_;
    Shell shell_;
    Exports exports_;
    std::unique_ptr<StateFile> state_file_ = StateFile::from_environment(); // null except in tests
    Clock::time_point last_frame_ = Clock::now();
    int frames_left_ = frames_after_input;
};

} // namespace

int run_window(const WindowOptions& options)
{
    Window(options).run();
    return 0;
}

} // namespace app
