// What a frame is drawn into instead of a window, and read back from. Needs a current OpenGL context.
#pragma once

#include "app/pictures/picture.h"

#include <epoxy/gl.h>

namespace app {

class Framebuffer {
public:
    // In pixels; bound while it lives. Throws kernels::Error where it is larger than the driver takes.
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

// All of a texture; its first row becomes the picture's first.
Picture read_texture(GLuint texture);

} // namespace app
