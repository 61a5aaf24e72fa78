// Starting the user's editor.
#include "app/session/user_files.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

TEST(EditorProgram, IsOpenedOnTheLine)
{
    const auto none = [](const std::string&) { return false; };
    const auto all = [](const std::string&) { return true; };
    EXPECT_EQ(app::editor_command("", none, "/a/b.cu", 3), "");
    EXPECT_EQ(app::editor_command("", all, "/a/b.cu", 3), "code -g '/a/b.cu:3'");
    EXPECT_EQ(app::editor_command("/usr/bin/code --wait", none, "/a/b.cu", 3), "/usr/bin/code --wait -g '/a/b.cu:3'");
    EXPECT_EQ(app::editor_command("vim", none, "/a/b.cu", 3), "x-terminal-emulator -e vim +3 '/a/b.cu'");
    EXPECT_EQ(app::editor_command("gvim", none, "/a/it's.cu", 3), "gvim +3 '/a/it'\\''s.cu'");
    EXPECT_EQ(app::editor_command("gvim", none, "/a/$(b)`c`\n;.cu", 3), "gvim +3 '/a/$(b)`c`\n;.cu'");
    EXPECT_EQ(app::editor_command("gvim", none, "+!b.cu", 3),
              "gvim +3 '" + (std::filesystem::current_path() / "+!b.cu'").string())
        << "the editor would take a leading '+' as a command";
    EXPECT_EQ(app::editor_command("mine", none, "/a/b.cu", 3), "mine '/a/b.cu'");
}

} // namespace
