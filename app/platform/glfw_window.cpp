#include "app/platform/glfw_window.h"

#include "error.h"

#include <epoxy/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cstdlib>
#include <string>

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

} // namespace app
