// Each view and each page is drawn in windows of any size, zoomed in and out.
#include "app/panels/shell.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/platform/screenshot.h"
#include "app/workspace/layout.h"

#include "temporary_folder.h"
#include "tests/paths.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int frames_of_a_glide = 8;

class SmallWindows : public testing::Test {
protected:
    void SetUp() override
    {
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            setenv(variable, folder_.path().c_str(), 1);
        setenv("GEMMSCOPE_NO_MEASURING", "1", 1);
        gui_ = std::make_unique<app::Gui>(nullptr);
    }

    void open(std::string_view patch)
    {
        app::WindowOptions options;
        options.show = app::parse_patch(patch);
        options.backend = "cpu";
        options.worker.in_process = true;
        shell_ = std::make_unique<app::Shell>(options, app::Settings(), [] {});
        shell_->theme() = viz::make_theme(true, 1);
        gui_->use(shell_->theme());
        app::settle(*shell_);
    }

    // Draws a frame in a window of this size. Returns whether all drawn vertices have finite positions.
    bool draw(float width, float height)
    {
        shell_->poll();
        gui_->begin_frame();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {width, height};
        io.DeltaTime = 1.0f / 30;
        io.MousePos = {width / 2, height / 2}; // over the view, so that it searches for the item under the pointer
        ImGui::NewFrame();
        shell_->draw(width, height, 1.0 / 30);
        ImGui::Render();
        const ImDrawData& drawn = *ImGui::GetDrawData();
        for (int i = 0; i < drawn.CmdListsCount; ++i)
            for (const ImDrawVert& corner : drawn.CmdLists[i]->VtxBuffer)
                if (!std::isfinite(corner.pos.x) || !std::isfinite(corner.pos.y))
                    return false;
        return true;
    }

    void draw_in_all_sizes(const std::string& what)
    {
        struct Size {
            float width, height;
        };
        for (const auto& [width, height] : {Size{1600, 160}, {1, 1}, {1600, 1000}, {300, 1000}, {0, 0}, {1600, 1000}})
            for (int zooms = 0; zooms < 4; ++zooms) {
                for (int frame = 0; frame < frames_of_a_glide; ++frame)
                    ASSERT_TRUE(draw(width, height)) << what << " in " << width << " x " << height;
                shell_->press(app::typed('z'));
            }
    }

    void draw_views_in_all_sizes()
    {
        const auto& views = shell_->state().views;
        for (std::size_t i = 0; i < views.size(); ++i) {
            shell_->choose_view(i);
            draw_in_all_sizes(std::string(views[i]->name()));
        }
    }

    kernels::TemporaryFolder folder_;
    app::Offscreen offscreen_;
    std::unique_ptr<app::Gui> gui_;
    std::unique_ptr<app::Shell> shell_;
};

TEST_F(SmallWindows, HaveEachViewOfAStage)
{
    open("stage=swizzled");
    draw_views_in_all_sizes();
}

TEST_F(SmallWindows, HaveEachViewOfThreeStages)
{
    open("stage=vectorized compare=swizzled third=padded_b");
    draw_views_in_all_sizes();
}

TEST_F(SmallWindows, HaveEachViewOfATinyStageAndOfOneOfVectors)
{
    open("stage=naive tiny");
    draw_views_in_all_sizes();
    open("stage=vector_add");
    draw_views_in_all_sizes();
}

TEST_F(SmallWindows, HaveEachPage)
{
    open("stage=swizzled");
    app::State& state = shell_->state();
    for (const app::Page page :
         {app::Page::first, app::Page::keys, app::Page::learn, app::Page::sources, app::Page::counters}) {
        state.at.page = page;
        draw_in_all_sizes("a page");
    }
    state.at.page = app::Page::none;
    for (bool* const open : {&state.at.panels.speeds, &state.presenting.on, &state.edit.open}) {
        *open = true;
        draw_in_all_sizes("a panel");
        *open = false;
    }
    shell_->open_palette();
    draw_in_all_sizes("the palette");
}

} // namespace
