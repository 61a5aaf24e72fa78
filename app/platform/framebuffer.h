// A render target for frames without a window, which can be read back. Needs a current OpenGL context.
#pragma once

#include "app/pictures/picture.h"

#include <epoxy/gl.h>

namespace app {

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

} // namespace app
