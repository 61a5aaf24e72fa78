#include "app/platform/window.h"

#include "app/panels/shell.h"
#include "app/platform/export.h"
#include "app/platform/glfw_window.h"
#include "app/platform/gui.h"
#include "app/platform/keyboard.h"
#include "app/platform/state_file.h"
#include "app/workspace/layout.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int frames_after_input = 3; // ImGui shows the effect of an input one or two frames later
constexpr double frame_seconds = 1.0 / 60;

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
            if (passed < frame_seconds)
                std::this_thread::sleep_for(std::chrono::duration<double>(frame_seconds - passed));
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
        gui_.render(pixels.width, pixels.height, shell_.theme());
        glfwSwapBuffers(window_.get());
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
        const bool typing = ImGui::GetIO().WantTextInput;
        for (const KeyChord& chord : keyboard_.take_chords()) {
            shell_.press(chord, typing);
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
