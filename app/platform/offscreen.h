// Drawing without a window: an OpenGL context and the render target to read back.
#pragma once

#include "app/pictures/picture.h"
#include "app/platform/window.h"

#include <epoxy/gl.h>

#include <memory>

namespace app {

// A render target for frames without a window, which can be read back. Needs a current OpenGL context.
class Framebuffer {
public:
    // Creates a target of this size in pixels and binds it. Throws kernels::Error if it is larger than the driver
    // allows.
    Framebuffer(int width, int height);
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;
    ~Framebuffer();

    void bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }
    Picture read() const;

private:
    int width_, height_;
    GLuint texture_ = 0, framebuffer_ = 0;
};

// Reads a whole texture. Its first row becomes the picture's first row.
Picture read_texture(GLuint texture);

// Owns an OpenGL 3.3 core context without a visible window. It uses EGL, which needs neither X nor Wayland, on a GPU or
// with Mesa's software renderer. Otherwise it uses a hidden window.
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
