#include "app/platform/gui.h"

#include "error.h"
#include "fonts.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
// GLFW must come after epoxy, which declares OpenGL's functions.
#include <GLFW/glfw3.h>

#include <string>

namespace app {

Gui::Gui(GLFWwindow* window, ImGuiContext* outside) : outside_(outside), window_(window)
{
    IMGUI_CHECKVERSION();
    // Makes the new context current, because ImGui does so only if there was none.
    ImGui::SetCurrentContext(ImGui::CreateContext());
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // Settings (app/workspace/state_file.h) are stored instead
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigDragClickToInputText = true; // the digits that a user types after clicking a number replace it
    if (window_ != nullptr)
        ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    if (window_ != nullptr)
        kept_ = KeptFrame::of_current_context();
}

Gui::~Gui()
{
    ImGui_ImplOpenGL3_Shutdown();
    if (window_ != nullptr)
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
    if (kept_)
        kept_->forget();
    has_texture_ = true; // the first frame creates it
}

void Gui::begin_frame()
{
    ImGui_ImplOpenGL3_NewFrame();
    if (window_ != nullptr)
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

void Gui::show(int width, int height, const viz::Theme& theme, bool whole)
{
    if (!kept_) {
        render(width, height, theme);
        glfwSwapBuffers(window_);
        return;
    }
    if (whole)
        kept_->forget();
    ImGui::Render();
    if (!kept_->draw(*ImGui::GetDrawData(), width, height, theme.background))
        glfwSwapBuffers(window_);
}

namespace {

// Ranges of code points, as far as the fonts have them: Latin, Greek, punctuation, super- and subscripts, arrows,
// mathematics, shapes.
constexpr ImWchar glyphs[] = {0x20,   0xff,   0x3b1,  0x3c9,  0x2010, 0x2027, 0x2030, 0x2034, 0x2070, 0x2089, 0x2190,
                              0x2193, 0x2202, 0x2212, 0x2248, 0x2248, 0x2260, 0x2265, 0x25a0, 0x25cf, 0};

ImFont* load(const char* file, float pixels, bool snaps)
{
    const std::string_view data = fonts::file(file);
    if (data.empty())
        throw kernels::Error(std::string("The font ") + file +
                             " is missing from this build of gemmscope; build it again.");
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false; // the data is part of the executable
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = snaps;
    // The name by which a vector file refers to the font.
    fmt::format_to_n(config.Name, sizeof config.Name - 1, "{}", file);
    void* bytes = const_cast<char*>(data.data()); // ImGui takes a non-const pointer but does not write
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), pixels, &config, glyphs);
}

// Converts font sizes: ImGui measures from ascent to descent, typography by the em. With this factor 14 px mean an em
// of about 14.
constexpr float em = 1.21f;

} // namespace

void load_typefaces(viz::Theme& theme, bool snaps)
{
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    theme.text = load("Inter-Regular.otf", theme.px(14 * em), snaps);
    theme.heading = load("Inter-SemiBold.otf", theme.px(17 * em), snaps);
    theme.mono = load("JetBrainsMono-Regular.ttf", theme.px(13 * em), snaps);
    theme.mono_bold = load("JetBrainsMono-Bold.ttf", theme.px(13 * em), snaps);
    atlas.Build();
}

void apply_style(const viz::Theme& theme)
{
    ImGuiStyle style;
    theme.dark ? ImGui::StyleColorsDark(&style) : ImGui::StyleColorsLight(&style);
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.FrameRounding = 3;
    style.PopupRounding = 4;
    style.ScrollbarSize = 10;
    style.ItemSpacing = {8, 5};
    style.FramePadding = {7, 3};
    style.WindowPadding = {10, 8};
    style.ScaleAllSizes(theme.scale);
    const auto set = [&](ImGuiCol which, viz::Colour colour, float alpha = 1) {
        ImVec4 value = ImGui::ColorConvertU32ToFloat4(colour);
        value.w = alpha;
        style.Colors[which] = value;
    };
    set(ImGuiCol_WindowBg, theme.background);
    set(ImGuiCol_ChildBg, theme.background, 0); // the area behind it is filled already, and filling twice costs time
    set(ImGuiCol_PopupBg, theme.panel);
    set(ImGuiCol_Border, theme.border);
    set(ImGuiCol_Text, theme.ink);
    set(ImGuiCol_TextDisabled, theme.ink_faint);
    set(ImGuiCol_FrameBg, theme.border, 0.45f);
    set(ImGuiCol_FrameBgHovered, theme.border, 0.8f);
    set(ImGuiCol_FrameBgActive, theme.border);
    set(ImGuiCol_Button, theme.border, 0.45f);
    set(ImGuiCol_ButtonHovered, theme.border, 0.9f);
    set(ImGuiCol_ButtonActive, theme.border);
    set(ImGuiCol_Header, theme.accent(), 0.25f);
    set(ImGuiCol_HeaderHovered, theme.accent(), 0.35f);
    set(ImGuiCol_HeaderActive, theme.accent(), 0.45f);
    set(ImGuiCol_CheckMark, theme.accent());
    set(ImGuiCol_ScrollbarBg, theme.background, 0);
    set(ImGuiCol_ScrollbarGrab, theme.border);
    set(ImGuiCol_TextSelectedBg, theme.accent(), 0.4f);
    ImGui::GetStyle() = style;
}

} // namespace app
