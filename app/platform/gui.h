// Dear ImGui with OpenGL, on a window or none, for as long as this lives.
#pragma once

#include "viz/theme.h"

struct GLFWwindow;
struct ImGuiContext;

namespace app {

class Gui {
public:
    // Null: no window; who draws says how large the frame is and how much time has passed. An OpenGL context is current.
    // `outside`: another one, for which this one goes out of the way when it ends.
    explicit Gui(GLFWwindow* window, ImGuiContext* outside = nullptr);
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;
    ~Gui();

    // Loads the fonts at the theme's scale and uses its colours.
    void use(viz::Theme& theme, bool vectors = false); // vectors: characters are as wide as in a file of vectors
    void begin_frame();
    // Into the bound framebuffer, this large in pixels, cleared to the background first.
    void render(int width, int height, const viz::Theme& theme);

private:
    ImGuiContext* outside_;
    bool has_window_, has_texture_ = false;
};

} // namespace app
