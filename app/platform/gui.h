// Dear ImGui on a window with OpenGL, for as long as this lives.
#pragma once

#include "viz/theme.h"

struct GLFWwindow;

namespace app {

class Gui {
public:
    explicit Gui(GLFWwindow* window); // its OpenGL context is current
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;
    ~Gui();

    // Loads the fonts at the theme's scale and uses its colours.
    void use(viz::Theme& theme);
    void begin_frame();
    // Into the bound framebuffer, this large in pixels, cleared to the background first.
    void render(int width, int height, const viz::Theme& theme);

private:
    bool has_texture_ = false;
};

} // namespace app
