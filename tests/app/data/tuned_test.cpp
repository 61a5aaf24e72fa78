// The winners of parameter searches, stored from one run to the next.
#include "app/data/searches.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "recording/disk.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

namespace {

using test::says;

namespace fs = std::filesystem;

class TunedFileTest : public testing::Test {
protected:
    app::Winner winner(int bm, double gflops) const
    {
        const kernels::Stage& stage = test::stage("autotuned");
        kernels::ParameterValues values = stage.cpu_variants.at(1);
        values[0] = bm;
        return {.gpu = "fake GPU",
                .stage = "autotuned",
                .size = "4096x4096x4096",
                .parameters = kernels::named(stage, values),
                .gflops = gflops,
                .date = "2026-11-21T15:00:00Z"};
    }

    fs::path path() const { return folder_ / "tuned.json"; }

    const kernels::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_ / "new"; // does not exist yet
    const recording::Problem large{.M = 4096, .N = 4000, .K = 5000};
};

TEST_F(TunedFileTest, RemembersPerGpuStageAndSizeClass)
{
    const kernels::Stage& stage = test::stage("autotuned");
    app::TunedFile file(path());
    EXPECT_EQ(file.find("fake GPU", stage, large), nullptr);
    file.remember(winner(64, 100));
    file.remember(winner(128, 200)); // replaces the first one
    const app::TunedFile again(path());
    EXPECT_EQ(again.winners().size(), 1u);
    ASSERT_NE(again.find("fake GPU", stage, large), nullptr);
    EXPECT_EQ(again.find("fake GPU", stage, large)->gflops, 200);
    EXPECT_EQ(again.find("another GPU", stage, large), nullptr);
    EXPECT_EQ(again.find("fake GPU", stage, {.M = 128, .N = 128, .K = 128}), nullptr);
    EXPECT_EQ(again.find("fake GPU", test::stage("naive"), large), nullptr);
    std::set<fs::path> left;
    for (const auto& entry : fs::directory_iterator(folder_))
        left.insert(entry.path().filename());
    EXPECT_EQ(left, (std::set<fs::path>{"tuned.json", "tuned.json.lock"})) << "no temporary file is left";
}

TEST_F(TunedFileTest, AWinnerIsTheDefaultWhereTheStageTakesIt)
{
    const kernels::Stage& stage = test::stage("autotuned");
    app::TunedFile file(path());
    file.remember(winner(64, 100));
    EXPECT_EQ(app::standard_parameters(file, stage, {.name = "fake GPU"}, large), stage.cpu_variants.at(1));
    EXPECT_EQ(app::standard_parameters(file, stage, {.name = "another GPU"}, large), stage.standard_parameters());
    file.remember(winner(63, 100)); // stored by an older version; the stage now refuses it
    EXPECT_EQ(app::standard_parameters(file, stage, {.name = "fake GPU"}, large), stage.standard_parameters());
}

int value_of(const kernels::Stage& stage, const kernels::ParameterValues& values, const std::string& name)
{
    for (const recording::Parameter& parameter : kernels::named(stage, values))
        if (parameter.name == name)
            return parameter.value;
    return -1;
}

TEST_F(TunedFileTest, AStageMayChooseBySize)
{
    const kernels::Stage& stage = test::stage("fastest");
    const app::TunedFile none(path());
    const auto choice = [&](uint32_t sm_count, uint32_t size) {
        return app::standard_parameters(none, stage, {.sm_count = sm_count}, {.M = size, .N = size, .K = size});
    };
    const kernels::ParameterValues large_tiles = stage.standard_parameters();
    EXPECT_EQ(value_of(stage, choice(132, 1024), "BM"), 64) << "32 large tiles for 132 SMs";
    EXPECT_EQ(choice(132, 2048), large_tiles) << "128 large tiles";
    EXPECT_EQ(value_of(stage, choice(132, 3072), "BM"), 96) << "288 large tiles would be three turns, the last with 24";
    EXPECT_EQ(choice(132, 4096), large_tiles);
    EXPECT_EQ(value_of(stage, choice(132, 1), "BM"), 32);
    EXPECT_EQ(choice(16, 1024), large_tiles) << "large tiles fill a smaller GPU";
    EXPECT_EQ(choice(0, 1024), large_tiles) << "there is no GPU";
    const recording::Problem deep{.M = 256, .N = 256, .K = 65536};
    EXPECT_GE(value_of(stage, app::standard_parameters(none, stage, {.sm_count = 132}, deep), "WAVE"), 132)
        << "K is cut";
}

// For any number of SMs: on a GPU with few SMs one cluster may need all of them.
TEST_F(TunedFileTest, WhatAStageChoosesCanBeLaunched)
{
    for (const kernels::Stage& stage : test::ladder())
        for (uint32_t sm_count = 1; stage.suited && sm_count <= 140; ++sm_count)
            for (const recording::Problem& problem :
                 {recording::Problem{.M = 64, .N = 64, .K = 4096}, recording::Problem{.M = 64, .N = 64, .K = 1024},
                  recording::Problem{.M = 1, .N = 1, .K = 1}, recording::Problem{.M = 128, .N = 192, .K = 5632},
                  recording::Problem{.M = 1000, .N = 333, .K = 777},
                  recording::Problem{.M = 4096, .N = 4096, .K = 4096}})
                EXPECT_EQ(stage.refusal(stage.suited(problem, sm_count)), "")
                    << stage.slug << ", " << sm_count << " SMs, " << problem.M << " x " << problem.N << " x "
                    << problem.K;
}

TEST_F(TunedFileTest, FewTilesOfALongProductAreSharedAlongK)
{
    const kernels::Stage& stage = test::stage("wgmma_tma");
    const kernels::ParameterValues choice = stage.suited({.M = 128, .N = 192, .K = 5632}, 132);
    EXPECT_EQ(value_of(stage, choice, "DEPTH"), 8);
    EXPECT_EQ(value_of(stage, choice, "BM"), 32);
    EXPECT_EQ(value_of(stage, choice, "BN"), 64);
}

// 320 columns are five tiles of 64 columns. Of tiles of 128 columns, half of the last would be outside the matrix.
TEST_F(TunedFileTest, TilesThatFitTheMatrixArePreferred)
{
    const kernels::Stage& stage = test::stage("wgmma_tma");
    EXPECT_EQ(value_of(stage, stage.suited({.M = 4128, .N = 320, .K = 2272}, 132), "BN"), 64);
}

TEST_F(TunedFileTest, ABrokenFileIsReportedAndKept)
{
    fs::create_directories(folder_);
    for (const char* text :
         {"{\"version\": 1, \"winners\": [{\"gpu\"", "{\"version\": 9, \"winners\": []}", "", "[]"}) {
        std::ofstream(path()) << text;
        app::TunedFile file(path());
        EXPECT_TRUE(says(file.broken(), path().string())) << text;
        EXPECT_TRUE(file.winners().empty());
        file.remember(winner(64, 100));
        EXPECT_TRUE(app::TunedFile(path()).broken().empty());
    }
    EXPECT_TRUE(fs::exists(path().string() + ".broken"));
    EXPECT_TRUE(fs::exists(path().string() + ".broken4"));
    EXPECT_EQ(test::text_of(path().string() + ".broken"), "{\"version\": 1, \"winners\": [{\"gpu\"");
}

TEST_F(TunedFileTest, WhatCannotBeWrittenIsSaid)
{
    std::ofstream(folder_.string()) << "a file where a folder should be";
    app::TunedFile file(path());
    EXPECT_THROW(file.remember(winner(64, 100)), kernels::Error);
}

TEST_F(TunedFileTest, ADamagedWinnerDoesNotHideTheOthers)
{
    app::TunedFile file(path());
    file.remember(winner(64, 100));
    std::string text = recording::read_whole(path(), 1 << 20);
    text.replace(text.find("\"winners\": ["), 12, R"("winners": [{"gpu": "fake GPU", "gflops": 0}, 7, )");
    std::ofstream(path()) << text;
    app::TunedFile again(path());
    EXPECT_EQ(again.winners().size(), 1u);
    EXPECT_TRUE(again.broken().starts_with("2 of the 3 winners in ")) << again.broken();
    again.remember(winner(128, 200));
    EXPECT_TRUE(app::TunedFile(path()).broken().empty());
    EXPECT_EQ(recording::read_whole(path().string() + ".broken", 1 << 20), text) << "the damaged file is kept";
}

TEST_F(TunedFileTest, ComesBackAsItWasAndEachFieldIsChecked)
{
    using nlohmann::json;
    app::Winner made = winner(64, 100);
    app::TunedFile(path()).remember(made);
    std::ranges::sort(made.parameters, {}, &recording::Parameter::name); // the order in the file
    const app::TunedFile again(path());
    ASSERT_EQ(again.winners().size(), 1u);
    const app::Winner& read = again.winners().front();
    EXPECT_EQ(read.gpu, made.gpu);
    EXPECT_EQ(read.stage, made.stage);
    EXPECT_EQ(read.size, made.size);
    EXPECT_EQ(read.parameters, made.parameters);
    EXPECT_EQ(read.gflops, made.gflops);
    EXPECT_EQ(read.date, made.date);
    const json good = json::parse(recording::read_whole(path(), 1 << 20));
    for (const auto& [name, value] :
         {std::pair("gflops", json(0)), std::pair("gflops", json(-1)), std::pair("gpu", json(7)),
          std::pair("parameters", json{{"BM", 1e300}}), std::pair("date", json())}) {
        json damaged = good;
        damaged["winners"][0][name] = value;
        std::ofstream(path()) << damaged;
        EXPECT_TRUE(app::TunedFile(path()).winners().empty()) << name;
    }
}

TEST_F(TunedFileTest, KeepsALinkAndWhatFourProcessesRemember)
{
    fs::create_directories(folder_ / "elsewhere");
    std::ofstream(folder_ / "elsewhere" / "winners.json") << R"({"version": 1, "winners": []})";
    fs::create_symlink(folder_ / "elsewhere" / "winners.json", path());
    std::vector<pid_t> children;
    for (int process = 0; process < 4; ++process)
        if (children.push_back(fork()); children.back() == 0) {
            bool kept = true;
            try {
                for (int i = 0; i < 10; ++i) {
                    app::Winner own = winner(64, 100);
                    own.gpu = std::to_string(process) + " " + std::to_string(i);
                    app::TunedFile(path()).remember(own);
                }
            } catch (const std::exception&) {
                kept = false;
            }
            _exit(kept ? 0 : 1); // skips the destructors and exit handlers of the test
        }
    for (const pid_t child : children) {
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(app::TunedFile(path()).winners().size(), 40u);
    EXPECT_TRUE(fs::is_symlink(path()));
    EXPECT_EQ(app::TunedFile(folder_ / "elsewhere" / "winners.json").winners().size(), 40u);
}

TEST(SizeClass, IsTheNearestPowerOfTwo)
{
    EXPECT_EQ(app::size_class({.M = 4096, .N = 4095, .K = 4097}), "4096x4096x4096");
    EXPECT_EQ(app::size_class({.M = 1000, .N = 1, .K = 3}), "1024x1x4");
}

} // namespace
