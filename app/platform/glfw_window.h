// GLFW and one window with an OpenGL 3.3 core context, for as long as this lives.
#pragma once

struct GLFWwindow;

namespace app {

struct WindowSize {
    int width = 0, height = 0;
};

class GlfwWindow {
public:
    // Throws kernels::Error: no display, no OpenGL 3.3.
    GlfwWindow(WindowSize size, bool visible);
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;
    ~GlfwWindow();

    GLFWwindow* get() const { return window_; }
    WindowSize framebuffer() const; // pixels
    WindowSize size() const;        // in the units of ImGui and of the mouse
    float monitor_scale() const;    // how much larger than at 96 dots per inch things should be, in those units
    bool closes() const;

private:
    GLFWwindow* window_ = nullptr;
};

} // namespace app
