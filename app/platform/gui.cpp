#include "app/platform/gui.h"

#include "app/platform/typefaces.h"

#include <epoxy/gl.h>

#include <imgui.h>

#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

namespace app {

Gui::Gui(GLFWwindow* window, ImGuiContext* outside) : outside_(outside), has_window_(window != nullptr)
{
    IMGUI_CHECKVERSION();
    // Makes the new context current, because ImGui does so only if there was none.
    ImGui::SetCurrentContext(ImGui::CreateContext());
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // settings.h stores what is worth keeping
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    if (has_window_)
        ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
}

Gui::~Gui()
{
    ImGui_ImplOpenGL3_Shutdown();
    if (has_window_)
        ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    ImGui::SetCurrentContext(outside_);
}

void Gui::use(viz::Theme& theme, bool vectors)
{
    load_typefaces(theme, !vectors);
    apply_style(theme);
    if (has_texture_) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    has_texture_ = true; // the first frame creates it
}

void Gui::begin_frame()
{
    ImGui_ImplOpenGL3_NewFrame();
    if (has_window_)
        ImGui_ImplGlfw_NewFrame();
}

void Gui::render(int width, int height, const viz::Theme& theme)
{
    ImGui::Render();
    const ImVec4 background = ImGui::ColorConvertU32ToFloat4(theme.background);
    glViewport(0, 0, width, height);
    glClearColor(background.x * background.w, background.y * background.w, background.z * background.w, background.w);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

} // namespace app
