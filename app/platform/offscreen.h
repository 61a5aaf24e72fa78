// OpenGL 3.3 core without anything on a screen, for as long as this lives: by EGL, which needs neither X nor Wayland, on a GPU or
// by Mesa's software; else in a hidden window.
#pragma once

#include "app/platform/glfw_window.h"

#include <memory>

namespace app {

class Offscreen {
public:
    // Its context is current. Throws kernels::Error with what to install.
    Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;
    ~Offscreen();

    // The hidden window; null where EGL made the context.
    GLFWwindow* window() const { return window_ ? window_->get() : nullptr; }

private:
    class Egl;
    std::unique_ptr<Egl> egl_;
    std::unique_ptr<GlfwWindow> window_;
};

} // namespace app
