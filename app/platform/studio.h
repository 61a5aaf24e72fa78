// Draws the shell's view alone, in a frame and a theme of its own, into pictures or on a surface. Beside a window it has its own
// ImGui, so that the window's is left as it is. Needs a current OpenGL context, as long as it lives.
#pragma once

#include "app/pictures/picture.h"
#include "app/pictures/wish.h"
#include "app/platform/framebuffer.h"
#include "app/platform/gui.h"
#include "app/shell/shell.h"

#include "viz/theme.h"

#include <memory>
#include <optional>

struct ImGuiContext;

namespace app {

// Throws kernels::Error in a sentence where such a picture cannot be made.
void check(const PictureLook& look);

class Studio {
public:
    // Vectors: what is drawn is for a surface, else for picture(). The caller's ImGui context stays current; none before: its own.
    Studio(const PictureLook& look, bool vectors);
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;
    ~Studio();

    // One frame, `seconds` after the last one, into picture() or on the wanted surface. Throws kernels::Error where there is nothing
    // to show.
    void draw(Shell& shell, double seconds, const Shell::Wanted& wanted = {});
    Picture picture() const { return target_->read(); } // of the frame drawn last
    std::optional<viz::Colour> background() const;      // none: transparent

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
