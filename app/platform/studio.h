// Draws only the shell's view, with its own frame and theme, into a picture or on a surface. It has its own ImGui
// context, so that the window's context is unaffected. Needs a current OpenGL context during its lifetime.
#pragma once

#include "app/panels/shell.h"
#include "app/pictures/picture.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"

#include "viz/theme.h"

#include <memory>
#include <optional>

struct ImGuiContext;

namespace app {

// Throws kernels::Error with a sentence if such a picture cannot be made.
void check(const PictureLook& look);

class Studio {
public:
    // `vectors`: draw for a surface instead of picture(). The caller's ImGui context stays current. If there was none,
    // the studio's context becomes current.
    Studio(const PictureLook& look, bool vectors);
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;
    ~Studio();

    // Draws one frame, `seconds` after the last one, into picture() or on the given surface. Throws kernels::Error if
    // there is nothing to show.
    void draw(Shell& shell, double seconds, const Shell::Wanted& wanted = {});
    Picture picture() const { return target_->read(); } // the last drawn frame
    std::optional<viz::Colour> background() const;      // empty: transparent

private:
    PictureLook look_;
    bool vectors_;
    ImGuiContext* outside_; // null: none
    Gui gui_;
    ImGuiContext* inside_;
    viz::Theme theme_;
    int pixel_width_ = 0, pixel_height_ = 0;
    std::unique_ptr<Framebuffer> target_;
};

} // namespace app
