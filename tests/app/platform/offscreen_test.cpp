// OpenGL without a display, and without a window.
#include "app/platform/offscreen.h"

#include <epoxy/gl.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

namespace {

class WithoutDisplay : public testing::Test {
protected:
    WithoutDisplay()
    {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const char* value = std::getenv(names[i]);
            before[i] = value == nullptr ? "" : value;
            unsetenv(names[i]);
        }
    }
    ~WithoutDisplay() override
    {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (!before[i].empty())
                setenv(names[i], before[i].c_str(), 1);
    }
    static constexpr std::array<const char*, 2> names = {"DISPLAY", "WAYLAND_DISPLAY"};
    std::array<std::string, 2> before;
};

TEST_F(WithoutDisplay, EglDrawsAndCanBeBegunAnew)
{
    for (int round = 0; round < 2; ++round) {
        const app::Offscreen offscreen;
        EXPECT_EQ(offscreen.window(), nullptr);
        EXPECT_GE(epoxy_gl_version(), 33);
        GLuint texture = 0, framebuffer = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        ASSERT_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
        glClearColor(1, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        std::array<unsigned char, 4> pixel{};
        glReadPixels(2, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
        EXPECT_EQ(pixel, (std::array<unsigned char, 4>{255, 0, 255, 255}));
    }
}

} // namespace
