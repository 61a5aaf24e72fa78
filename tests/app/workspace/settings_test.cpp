// Settings that are stored between runs, and damaged files of settings.
#include "app/workspace/state_file.h"
#include "temporary_folder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using app::Settings;
using test::says;

class SettingsFile : public testing::Test {
protected:
    std::filesystem::path path() const { return folder / "deeper/settings.json"; }
    void put(const std::string& text)
    {
        std::filesystem::create_directories(path().parent_path());
        std::ofstream(path()) << text;
    }

    kernels::TemporaryFolder folder;
};

TEST_F(SettingsFile, ComesBackAsItWasSaved)
{
    const Settings settings{.light = true,
                            .scale = 1.5f,
                            .panels = {.source = false, .ladder_width = 200, .source_width = 500},
                            .workers = {{"lab", "ssh lab gemmscope worker"}}};
    ASSERT_EQ(app::save_settings(settings, path()), "");
    EXPECT_EQ(app::load_settings(path()), settings);
    const auto entries = std::filesystem::directory_iterator(path().parent_path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "no temporary file is left";
}

TEST_F(SettingsFile, MissingOrBrokenMeansDefaults)
{
    EXPECT_EQ(app::load_settings(path()), Settings{});
    for (const char* text : {"", "{", "[1, 2]", "null", "{\"scale\": \"large\", \"light\": 3}"}) {
        put(text);
        EXPECT_EQ(app::load_settings(path()), Settings{}) << text;
    }
}

TEST_F(SettingsFile, ValuesOutOfRangeAreIgnoredOneByOne)
{
    put("{\"scale\": 1000, \"ladder_width\": -5, \"light\": true}");
    EXPECT_EQ(app::load_settings(path()), (Settings{.light = true}));
}

TEST_F(SettingsFile, WorkersThatAreNoneAreLeftOut)
{
    put(R"({"workers": [3, {"name": "a"}, {"name": "", "command": "x"}, {"name": "lab", "command": "ssh lab"}]})");
    EXPECT_EQ(app::load_settings(path()).workers, (std::vector<app::NamedWorker>{{"lab", "ssh lab"}}));
}

TEST_F(SettingsFile, ThatDoHarmMeanDefaults)
{
    put(std::string(20'000'000, '['));
    EXPECT_EQ(app::load_settings(path()), Settings{});
    put("{\"scale\": 1e999, \"ladder_width\": 1e300, \"light\": true}");
    EXPECT_EQ(app::load_settings(path()), Settings{});
    std::filesystem::remove(path());
    std::filesystem::create_directories(path());
    EXPECT_EQ(app::load_settings(path()), Settings{}) << "a folder has the name of the file";
}

TEST_F(SettingsFile, ThatCannotBeKeptAreSaid)
{
    EXPECT_EQ(app::save_settings({}, {}), "") << "there is no path, and no error";
    std::filesystem::create_directories(path());
    EXPECT_TRUE(says(app::save_settings({}, path()), "not a regular file"));
    EXPECT_TRUE(says(app::save_settings({}, "/dev/null/settings.json"), "Cannot write"));
    const auto entries = std::filesystem::directory_iterator(path().parent_path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "no temporary file is left";
}

TEST_F(SettingsFile, ALinkStaysALink)
{
    std::filesystem::create_directories(path().parent_path());
    std::filesystem::create_symlink(folder / "kept.json", path());
    ASSERT_EQ(app::save_settings({.light = true}, path()), "");
    EXPECT_TRUE(std::filesystem::is_symlink(path()));
    EXPECT_TRUE(app::load_settings(folder / "kept.json").light);
}

TEST_F(SettingsFile, RemembersTheLatestFiles)
{
    app::Settings settings;
    for (int i = 0; i < 12; ++i)
        app::remember(settings, "/tmp/" + std::to_string(i) + ".gscope");
    app::remember(settings, "/tmp/x/../7.gscope");
    ASSERT_EQ(settings.recent.size(), app::most_recent);
    EXPECT_EQ(settings.recent[0], "/tmp/7.gscope");
    EXPECT_EQ(settings.recent[1], "/tmp/11.gscope");
    EXPECT_EQ(std::ranges::count(settings.recent, "/tmp/7.gscope"), 1);
    EXPECT_EQ(app::save_settings(settings, path()), "");
    EXPECT_EQ(app::load_settings(path()), settings);
}

} // namespace
