#include "app/text/command_words.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

namespace fs = std::filesystem;

TEST(FreePath, LeavesTheFolderAlone)
{
    const fs::path folder = fs::path(testing::TempDir()) / "free-path";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const fs::path first = app::free_path(folder, "../f<1, 2>", "gscope");
    EXPECT_EQ(first, folder / "___f_1__2_.gscope");
    std::ofstream(first) << "x";
    EXPECT_EQ(app::free_path(folder, "../f<1, 2>", "gscope"), folder / "___f_1__2__2.gscope");
    EXPECT_EQ(app::free_path(folder, std::string(500, 'a'), "g").filename().string().size(), 102u);
    fs::remove_all(folder);
}

} // namespace
