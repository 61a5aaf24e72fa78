// Owns a Dear ImGui context that draws with OpenGL, with or without a window.
#pragma once

#include "app/platform/kept_frame.h"

#include "viz/theme.h"

#include <memory>

struct GLFWwindow;
struct ImGuiContext;

namespace app {

class Gui {
public:
    // `window` may be null; the caller then sets the frame's size and elapsed time. An OpenGL context must be current.
    // `outside` is another ImGui context, which becomes current again when this one ends.
    explicit Gui(GLFWwindow* window, ImGuiContext* outside = nullptr);
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;
    ~Gui();

    // Loads the fonts at the theme's scale and applies its colors.
    void use(viz::Theme& theme, bool vectors = false); // vectors: use the character widths of a vector file
    void begin_frame();
    // Renders into the bound framebuffer of this size in pixels, after clearing it to the background.
    void render(int width, int height, const viz::Theme& theme);
    // Renders into the window's framebuffer and shows it. `whole`: the screen lost the contents, so nothing is left
    // out.
    void show(int width, int height, const viz::Theme& theme, bool whole);
    // Whether OpenGL renders on the processor, so that frames should be few.
    bool draws_in_software() const { return kept_ != nullptr; }

private:
    ImGuiContext* outside_;
    GLFWwindow* window_;
    bool has_texture_ = false;
    std::unique_ptr<KeptFrame> kept_; // null: each frame is drawn whole
};

// Loads the embedded fonts at a scale, and sets Dear ImGui's colors and lengths from a theme.

// Replaces the fonts of the current ImGui context and sets them in the theme. `snaps` aligns characters to whole
// pixels; otherwise they keep the font's exact positions. The caller must update the font texture.
void load_typefaces(viz::Theme& theme, bool snaps = true);

void apply_style(const viz::Theme& theme);

} // namespace app
