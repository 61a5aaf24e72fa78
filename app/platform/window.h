// The application window, and the class that owns GLFW and one window with an OpenGL 3.3 core context.
#pragma once

struct GLFWwindow;

namespace app {

struct WindowOptions;

struct WindowSize {
    int width = 0, height = 0;
};

class GlfwWindow {
public:
    // Throws kernels::Error if there is no display or no OpenGL 3.3.
    GlfwWindow(WindowSize size, bool visible);
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;
    ~GlfwWindow();

    GLFWwindow* get() const { return window_; }
    WindowSize framebuffer() const; // in pixels
    WindowSize size() const;        // in the units of ImGui and of the mouse
    float monitor_scale() const; // enlargement for more than 96 dots per inch, without what the units already contain
    bool closes() const;

private:
    GLFWwindow* window_ = nullptr;
};

// Opens the window and returns 0 when it is closed. Throws kernels::Error if there is no display or no OpenGL 3.3.
int run_window(const WindowOptions& options);

} // namespace app
