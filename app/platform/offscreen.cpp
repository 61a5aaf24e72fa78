#include "app/platform/offscreen.h"

#include "error.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <dlfcn.h>

#include <array>
#include <utility>
#include <vector>

namespace app {

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
