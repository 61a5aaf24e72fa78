#include "app/platform/studio.h"

#include "app/panels/shell.h"

#include "error.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace app {

namespace {

constexpr float density = 3; // pixels per unit of OpenGL content on a vector surface

// Makes an ImGui context current within a scope.
class Inside {
public:
    Inside(ImGuiContext* inside, ImGuiContext* outside) : outside_(outside) { ImGui::SetCurrentContext(inside); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside()
    {
        if (outside_ != nullptr)
            ImGui::SetCurrentContext(outside_);
    }

private:
    ImGuiContext* outside_;
};

} // namespace

void check(const PictureLook& look)
{
    constexpr int least = 320, most = 16384;
    const auto fits = [&](int units) {
        return units >= least && static_cast<float>(units) * look.scale <= static_cast<float>(most);
    };
    if (!fits(look.width) || !fits(look.height))
        throw kernels::Error(
            "The picture must be at least 320 wide and high, and times the scale at most 16384 pixels.");
}

Studio::Studio(const PictureLook& look, bool vectors)
    : look_(look), vectors_(vectors), outside_(ImGui::GetCurrentContext()), gui_(nullptr, outside_),
      inside_(ImGui::GetCurrentContext()), theme_(viz::make_theme(!look.light, vectors ? 1 : look.scale))
{
    check(look);
    const Inside inside(inside_, outside_);
    gui_.use(theme_, vectors);
    if (look.transparent)
        theme_.background &= ~IM_COL32_A_MASK;
    const float pixels = vectors ? 1 : look.scale;
    pixel_width_ = static_cast<int>(std::lround(static_cast<float>(look.width) * pixels));
    pixel_height_ = static_cast<int>(std::lround(static_cast<float>(look.height) * pixels));
    GLint bound = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    target_ = std::make_unique<Framebuffer>(pixel_width_, pixel_height_);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

Studio::~Studio()
{
    ImGui::SetCurrentContext(inside_); // gui_ destroys this context and restores the other one
}

void Studio::draw(Shell& shell, double seconds, const Shell::Wanted& wanted)
{
    const Inside inside(inside_, outside_);
    GLint bound = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    gui_.begin_frame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(pixel_width_), static_cast<float>(pixel_height_)};
    const float per_unit = vectors_ ? density : 1;
    io.DisplayFramebufferScale = {per_unit, per_unit};
    io.DeltaTime = static_cast<float>(std::max(seconds, 1e-3));
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::NewFrame();
    shell.draw_alone(theme_, io.DisplaySize, seconds, wanted);
    if (vectors_) {
        ImGui::Render();
    } else {
        target_->bind();
        gui_.render(pixel_width_, pixel_height_, theme_);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

std::optional<viz::Colour> Studio::background() const
{
    return look_.transparent ? std::nullopt : std::optional(theme_.background);
}

} // namespace app
