// The keys of a window and their effects, and the patch that describes the window's state.
#include "app/panels/navigation.h"
#include "app/panels/panels.h"
#include "app/panels/shell.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/platform/screenshot.h"

#include "temporary_folder.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

class ShellTest : public testing::Test {
protected:
    ShellTest()
    {
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            setenv(variable, folder_.path().c_str(), 1);
        setenv("GEMMSCOPE_NO_MEASURING", "1", 1);
    }
    void open(const std::string& patch)
    {
        app::WindowOptions options;
        options.show = app::parse_patch(patch);
        options.source = app::WindowOptions::Source::words;
        options.backend = "cpu";
        options.worker.in_process = true;
        shell = std::make_unique<app::Shell>(options, app::Settings(), [] {});
        shell->theme() = viz::make_theme(true, 1);
        gui_.use(shell->theme());
        app::settle(*shell);
    }
    // Draws frames until the window has reached its destination.
    void draw()
    {
        ASSERT_TRUE(test::happens(
            [&] {
                shell->poll();
                gui_.begin_frame();
                ImGuiIO& io = ImGui::GetIO();
                io.DisplaySize = {1280, 800};
                io.DeltaTime = 1.0f / 30;
                io.MousePos = {-FLT_MAX, -FLT_MAX};
                ImGui::NewFrame();
                shell->draw(io.DisplaySize.x, io.DisplaySize.y, 1.0 / 30);
                ImGui::Render();
                return shell->ready();
            },
            std::chrono::milliseconds(1)));
    }

    const kernels::TemporaryFolder folder_;
    const app::Offscreen context_; // views create OpenGL objects when they are constructed
    app::Gui gui_{nullptr};
    std::unique_ptr<app::Shell> shell;
};

TEST_F(ShellTest, SaysThatThereIsNothingToUndoOrToRedo)
{
    open("stage=naive");
    const app::Commands commands = app::make_commands(*shell);
    const auto notice_of = [&](const std::string& id) {
        shell->state().notice.clear();
        std::ranges::find(commands, id, &app::Command::id)->action();
        return shell->state().notice;
    };
    const app::Choice before = shell->state().at.choice;
    EXPECT_NE(notice_of("choice-undo"), "") << "there is nothing to undo";
    EXPECT_NE(notice_of("choice-redo"), "") << "there is nothing to redo";
    EXPECT_EQ(shell->state().at.choice, before);
    shell->state().change([](app::Choice& choice) { choice.set_tiny(true); });
    EXPECT_EQ(notice_of("choice-undo"), "");
    EXPECT_EQ(shell->state().at.choice, before);
    EXPECT_EQ(notice_of("choice-redo"), "");
    EXPECT_TRUE(shell->state().at.choice.tiny);
}

// The patch is saved, copied and sent to a class. A part that it lacked would have its default when it is shown again.
TEST_F(ShellTest, SaysOfWhatItShowsWhatAPatchSays)
{
    for (const std::string patch :
         {"stage=vectorized compare=swizzled third=padded_b view=layout page=counters arranged=\"tile=As places=padded "
          "padding=3\" size=256x256x32 timed=2048 alpha=2 beta=0.5 inputs=small as_written here BM=64 BN=64 "
          "second=BM:64 "
          "second=BN:64 of_third=BM:64 of_third=BN:64 warp=1 step=5 clock=sectors code=ptx lane=7 line=70 c=3,4 "
          "block=1,0,0 lesson=banks:2 ladder=no card=no ladder_width=200 source_width=300 source_column=1 speeds "
          "hides_times",
          "stage=shared_tile view=flow tiny parameter=tile:2 step=3"}) {
        open(patch);
        draw();
        const app::Patch shown = app::saved_state(*shell->snapshot(), shell->state()).patch;
        EXPECT_EQ(shell->state().notice, "");
        EXPECT_EQ(app::text_of(shown), app::text_of(app::parse_patch(patch)));
    }
}

// In the first frame without the form, ImGui's flag says that the form's field still gets the keys.
TEST_F(ShellTest, AKeyPressedAsAFormGoesIsACommand)
{
    open("stage=naive");
    draw();
    shell->export_dialog().ask_where(folder_ / "place.gstate");
    ASSERT_TRUE(test::happens([&] {
        draw();
        return ImGui::GetIO().WantTextInput;
    }));
    shell->press(app::named(app::Key::escape));
    draw(); // closes the form
    draw(); // without the form
    shell->press(app::named(app::Key::down));
    draw();
    EXPECT_NE(shell->snapshot()->columns.front().slug, "naive");
}

// The keys that the help page and the documentation list.
TEST_F(ShellTest, HasTheseKeys)
{
    open("stage=naive");
    std::string all;
    for (const app::Command& command : app::make_commands(*shell))
        if (command.view.empty() && !command.chords.empty())
            all += app::keys_text(command) + "  " + command.id + "\n";
    EXPECT_EQ(all, R"(←  time-back
→  time-forward
Shift+←  time-phase_back
Shift+→  time-phase_forward
Home  time-first
End  time-last
Space  time-play
.  time-faster
,  time-slower
K  time-clock
↑  stage-before
↓  stage-next
c  stage-compare
Shift+↑  stage-compare_before
Shift+↓  stage-compare_next
x  stage-exchange
s  source-other
d  source-code
D  source-code_back
T  stage-tiny
i  stage-inputs
E  stage-as_written
m  stage-sizes
S  stage-search
P  stage-trace
C  counters-table
A  sources-table
r  stage-record
Y  main-run
F8  kernel-launch
F7  main-printed
O  source-edit
Ctrl+Enter  source-run
Ctrl+S  file-save
Ctrl+Shift+S  file-save_recording
Ctrl+Shift+C  file-copy_command
Ctrl+T  table-csv
Ctrl+Shift+T  table-json
Ctrl+L  table-ladder_csv
Ctrl+Shift+L  table-ladder_json
Ctrl+Z  choice-undo
Ctrl+Y or Ctrl+Shift+Z  choice-redo
Ctrl+E  file-export
w  select-warp
W  select-warp_back
l  select-lane
L  select-lane_back
b  select-block
B  select-block_back
1  view-flow
2  view-hierarchy
3  view-gpu
4  view-placement
5  view-tiling
6  view-threads
7  view-patterns
8  view-global
9  view-banks
Tab  view-next
Shift+Tab  view-before
[  window-ladder
q  window-speeds
]  window-source
h  learn-page
n  learn-next
N  learn-back
Alt+←  place-back
Alt+→  place-forward
Ctrl+P  palette
F5  present
F9  present-pen
Shift+F9  present-clear
F10  present-blank
F6  present-times
t  window-theme
M  window-motion
Ctrl++ or Ctrl+=  window-larger
Ctrl+-  window-smaller
Ctrl+0  window-usual_size
? or F1  window-keys
Esc  window-escape
Ctrl+Q  window-quit
)");
}

} // namespace
