#include "app/platform/framebuffer.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace app {

Framebuffer::Framebuffer(int width, int height) : width_(width), height_(height)
{
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
    glGenFramebuffers(1, &framebuffer_);
    bind();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw kernels::Error("A picture of " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels is larger than this OpenGL can render; ask for a smaller one.");
}

Framebuffer::~Framebuffer()
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteTextures(1, &texture_);
}

// Undoes the premultiplication: ImGui's blending leaves colors multiplied by alpha if the picture was cleared to
// transparent.
Picture Framebuffer::read() const
{
    Picture picture{static_cast<uint32_t>(width_), static_cast<uint32_t>(height_), {}};
    picture.pixels.resize(std::size_t{picture.width} * picture.height);
    bind();
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    constexpr int most_errors = 16; // without a context some drivers report an error forever
    for (int i = 0; i < most_errors && glGetError() != GL_NO_ERROR; ++i) { // discards errors of earlier drawing
    }
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels.data());
    const GLenum error = glGetError();
    // Detects a failure that was seen with a GPU's own OpenGL while kernels of other processes faulted on the GPU:
    // there was no error, but not even the background was drawn.
    if (error != GL_NO_ERROR || std::ranges::all_of(picture.pixels, [](uint32_t pixel) { return pixel == 0; }))
        throw kernels::Error(fmt::format("The OpenGL of this machine ({}) drew nothing{}. Choose another one, such as "
                                         "Mesa's, which draws in software: set "
                                         "__EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/50_mesa.json.",
                                         reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                                         error == GL_NO_ERROR ? "" : fmt::format(" (error 0x{:x})", error)));
    for (uint32_t y = 0; y < picture.height / 2; ++y) // OpenGL's rows go from bottom to top
        std::swap_ranges(picture.pixels.begin() + std::size_t{y} * picture.width,
                         picture.pixels.begin() + (std::size_t{y} + 1) * picture.width,
                         picture.pixels.end() - (std::size_t{y} + 1) * picture.width);
    for (uint32_t& pixel : picture.pixels) {
        const uint32_t alpha = pixel >> 24;
        if (alpha == 0xff || alpha == 0)
            continue;
        uint32_t divided = alpha << 24;
        for (int shift = 0; shift < 24; shift += 8)
            divided |= std::min(0xffu, ((pixel >> shift & 0xff) * 0xff + alpha / 2) / alpha) << shift;
        pixel = divided;
    }
    return picture;
}

Picture read_texture(GLuint texture)
{
    Picture picture;
    GLint width = 0, height = 0;
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
    picture.width = static_cast<uint32_t>(width);
    picture.height = static_cast<uint32_t>(height);
    picture.pixels.resize(std::size_t{picture.width} * picture.height);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    return picture;
}

} // namespace app
