// Owns an OpenGL 3.3 core context without a visible window. It uses EGL, which needs neither X nor Wayland, on a GPU or
// with Mesa's software renderer. Otherwise it uses a hidden window.
#pragma once

#include "app/platform/glfw_window.h"

#include <memory>

namespace app {

class Offscreen {
public:
    // Makes the context current. Throws kernels::Error that says what to install.
    Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;
    ~Offscreen();

    // Returns the hidden window, or null if EGL made the context.
    GLFWwindow* window() const { return window_ ? window_->get() : nullptr; }

private:
    class Egl;
    std::unique_ptr<Egl> egl_;
    std::unique_ptr<GlfwWindow> window_;
};

} // namespace app
