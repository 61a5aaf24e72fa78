#include "app/platform/offscreen.h"

#include "error.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

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

namespace {

// The reason why EGL is unavailable. EGL's own error codes say no more than their names.
struct NoEgl {
    std::string why;
};

std::vector<EGLDisplay> displays()
{
    std::vector<EGLDisplay> all;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration")) {
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (eglQueryDevicesEXT(devices.size(), devices.data(), &count) == EGL_TRUE)
            for (EGLint i = 0; i < count; ++i)
                all.push_back(
                    eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
    }
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        all.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    return all;
}

} // namespace

class Offscreen::Egl {
public:
    // Throws NoEgl.
    Egl()
    {
        // Checks for the library first, because libepoxy ends the program if it is missing.
        library_ = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr)
            throw NoEgl{"there is no libEGL.so.1"};
        for (const EGLDisplay display : displays())
            if (display != EGL_NO_DISPLAY && opens(display))
                return;
        throw NoEgl{"no device of EGL has OpenGL 3.3"};
    }
    Egl(const Egl&) = delete;
    Egl& operator=(const Egl&) = delete;
    ~Egl()
    {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
        eglTerminate(display_);
    }

private:
    bool opens(EGLDisplay display)
    {
        if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE)
            return false;
        constexpr std::array<EGLint, 5> wanted = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
        constexpr std::array<EGLint, 9> version = {EGL_CONTEXT_MAJOR_VERSION,
                                                   3,
                                                   EGL_CONTEXT_MINOR_VERSION,
                                                   3,
                                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                   EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE,
                                                   EGL_TRUE,
                                                   EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (eglBindAPI(EGL_OPENGL_API) == EGL_TRUE &&
            eglChooseConfig(display, wanted.data(), &config, 1, &count) == EGL_TRUE && count > 0)
            context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
        if (context_ != EGL_NO_CONTEXT &&
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE && epoxy_gl_version() >= 33) {
            display_ = display;
            return true;
        }
        if (context_ != EGL_NO_CONTEXT)
            eglDestroyContext(display, std::exchange(context_, EGL_NO_CONTEXT));
        eglTerminate(display);
        return false;
    }

    void* library_ = nullptr; // never closed, because a driver's threads may outlive its context
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

Offscreen::Offscreen()
{
    try {
        egl_ = std::make_unique<Egl>();
    } catch (const NoEgl& missing) {
        try {
            window_ = std::make_unique<GlfwWindow>(WindowSize{640, 400}, false);
        } catch (const kernels::Error& error) {
            throw kernels::Error("A picture needs OpenGL 3.3, by EGL or in a window. By EGL: " + missing.why +
                                 " (Debian packages libegl1 and libegl-mesa0). In a window: " + error.what());
        }
    }
}

Offscreen::~Offscreen() = default;

} // namespace app
