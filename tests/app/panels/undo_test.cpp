// What the keys of undo and redo do and say.
#include "app/panels/panels.h"
#include "app/panels/shell.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/platform/screenshot.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

TEST(Undo, SaysThatThereIsNothingToUndoOrToRedo)
{
    const kernels::TemporaryFolder folder;
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        setenv(variable, folder.path().c_str(), 1);
    setenv("GEMMSCOPE_NO_MEASURING", "1", 1);
    const app::Offscreen context; // views make their handles at once
    const app::Gui gui(nullptr);
    app::WindowOptions options;
    options.show = app::parse_patch("stage=naive");
    options.backend = "cpu";
    options.worker.in_process = true;
    app::Shell shell(options, app::Settings(), [] {});
    app::settle(shell);
    const app::Commands commands = app::make_commands(shell);
    const auto notice_of = [&](const std::string& id) {
        shell.state().notice.clear();
        std::ranges::find(commands, id, &app::Command::id)->action();
        return shell.state().notice;
    };
    const app::Choice before = shell.state().at.choice;
    EXPECT_NE(notice_of("choice-undo"), "") << "there is nothing to undo";
    EXPECT_NE(notice_of("choice-redo"), "") << "there is nothing to redo";
    EXPECT_EQ(shell.state().at.choice, before);
    shell.state().change([](app::Choice& choice) { choice.set_tiny(true); });
    EXPECT_EQ(notice_of("choice-undo"), "");
    EXPECT_EQ(shell.state().at.choice, before);
    EXPECT_EQ(notice_of("choice-redo"), "");
    EXPECT_TRUE(shell.state().at.choice.tiny);
}

} // namespace
