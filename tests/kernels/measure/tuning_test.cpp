// The search for parameters: what it tries, how it ranks, and what it remembers, with a GPU that the test plays.
#include "app/catalogue/tuned.h"
#include "tests/app/session/fake_gpu.h"

#include "gemm/engine.h"
#include "measure/tuning.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace {

using kernels::Candidate;
using kernels::ParameterValues;
using cpu_tests::FakeGpu;
namespace fs = std::filesystem;

const kernels::Stage& stage_named(std::string_view slug)
{
    static const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    return kernels::find_stage(ladder, slug);
}

kernels::Tuning search_of(const std::vector<int>& sides)
{
    std::vector<ParameterValues> sets;
    for (const int side : sides)
        sets.push_back({side});
    return {stage_named("naive"), {.M = 512, .N = 512, .K = 512}, sets};
}

TEST(Tuning, TriesTheProductOfWhatIsDeclaredWithoutWhatIsRefused)
{
    const kernels::Stage& stage = stage_named("autotuned");
    const std::vector<ParameterValues> sets = candidate_sets(stage, stage.standard_parameters(), {});
    EXPECT_GT(sets.size(), 50u);
    EXPECT_LT(sets.size(), 2000u);
    EXPECT_EQ(sets.front(), stage.standard_parameters());
    for (const ParameterValues& set : sets) {
        EXPECT_EQ(stage.refusal(set), "");
        EXPECT_EQ(std::ranges::count(sets, set), 1);
        EXPECT_TRUE(set == sets.front() || stage.worth_trying(set));
    }
    // A parameter that the user sets stays as it is.
    const std::vector<std::string> fixed = {"BM"};
    ParameterValues base = stage.standard_parameters();
    base[0] = 64;
    base[3] = 32;
    for (const ParameterValues& set : candidate_sets(stage, base, fixed))
        EXPECT_EQ(set[0], 64);
}

TEST(Tuning, AStageThatDeclaresNoCandidatesTriesItsChoices)
{
    const kernels::Stage& stage = stage_named("warp_tile");
    const std::vector<ParameterValues> sets = candidate_sets(stage, stage.standard_parameters(), {});
    for (const ParameterValues& variant : stage.cpu_variants)
        EXPECT_EQ(std::ranges::count(sets, variant), 1);
}

TEST(Tuning, RanksByTimeAndShowsWhatIsWrongOrFails)
{
    FakeGpu gpu;
    gpu.answers = {{8, {.ms = 4}},
                   {16, {.ms = 1, .error = std::numeric_limits<double>::quiet_NaN()}},
                   {24, {.fails = true}},
                   {32, {.ms = 2}}};
    kernels::Tuning tuning = search_of({8, 16, 24, 32});
    EXPECT_EQ(tuning.best(), nullptr);
    while (tuning.step(gpu, {})) {
    }
    ASSERT_TRUE(tuning.finished());
    EXPECT_EQ(tuning.steps_done(), tuning.steps());
    const std::vector<const Candidate*> ranked = tuning.ranking();
    ASSERT_EQ(ranked.size(), 4u);
    EXPECT_EQ(ranked[0]->parameters[0], 32);
    EXPECT_EQ(ranked[1]->parameters[0], 8);
    EXPECT_EQ(ranked[2]->state, Candidate::State::wrong); // the fastest, were it not wrong
    EXPECT_EQ(ranked[2]->gflops, 0);
    EXPECT_EQ(ranked[3]->state, Candidate::State::failed);
    EXPECT_EQ(ranked[3]->failure, "It does not compile.");
    EXPECT_DOUBLE_EQ(ranked[0]->gflops, 2.0 * 512 * 512 * 512 / 2 * 1e-6);
    EXPECT_DOUBLE_EQ(ranked[0]->of_cublas.value(), 0.5);
    EXPECT_EQ(gpu.most_prepared, 4u);
}

TEST(Tuning, AWinnerThatIsWrongElsewhereGivesItsPlaceToTheNext)
{
    FakeGpu gpu;
    gpu.answers = {{8, {.ms = 1, .wrong_when_small = true}}, {16, {.ms = 2}}};
    kernels::Tuning tuning = search_of({8, 16});
    while (tuning.step(gpu, {})) {
    }
    ASSERT_NE(tuning.best(), nullptr);
    EXPECT_EQ(tuning.best()->parameters[0], 16);
    EXPECT_NE(tuning.ranking().back()->failure.find("M=131"), std::string::npos);
}

TEST(Tuning, InterruptedItKeepsWhatItMeasured)
{
    FakeGpu gpu;
    gpu.answers = {{8, {.ms = 4}}, {16, {.ms = 3}}, {24, {.ms = 2}}};
    gpu.stop_after = 2;
    kernels::Tuning tuning = search_of({8, 16, 24});
    EXPECT_THROW(while (tuning.step(gpu, gpu.stop.get_token())){}, kernels::Cancelled);
    ASSERT_NE(tuning.best(), nullptr);
    EXPECT_EQ(tuning.best()->parameters[0], 16);
    EXPECT_EQ(tuning.steps_done(), 2u);
    EXPECT_EQ(tuning.ranking().back()->state, Candidate::State::waiting);
    while (tuning.step(gpu, {})) { // and goes on where it was
    }
    EXPECT_EQ(tuning.best()->parameters[0], 24);
    EXPECT_EQ(std::ranges::count(gpu.benched, 8), 2); // once, and once more as a finalist
}

class TunedFileTest : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = fs::temp_directory_path() /
                  (std::string("gemmscope_tuned_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
                   std::to_string(getpid()));
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    app::Winner winner(int bm, double gflops) const
    {
        const kernels::Stage& stage = stage_named("autotuned");
        ParameterValues values = stage.cpu_variants.at(1);
        values[0] = bm;
        return {.gpu = "fake GPU",
                .stage = "autotuned",
                .size = "4096x4096x4096",
                .parameters = kernels::named(stage, values),
                .gflops = gflops,
                .date = "2026-11-21T15:00:00Z"};
    }

    fs::path path() const { return folder_ / "tuned.json"; }

    fs::path folder_;
    const recording::Problem large{.M = 4096, .N = 4000, .K = 5000};
};

TEST_F(TunedFileTest, RemembersPerGpuStageAndSizeClass)
{
    const kernels::Stage& stage = stage_named("autotuned");
    app::TunedFile file(path());
    EXPECT_EQ(file.find("fake GPU", stage, large), nullptr);
    file.remember(winner(64, 100));
    file.remember(winner(128, 200)); // in its place
    const app::TunedFile again(path());
    EXPECT_EQ(again.winners().size(), 1u);
    ASSERT_NE(again.find("fake GPU", stage, large), nullptr);
    EXPECT_EQ(again.find("fake GPU", stage, large)->gflops, 200);
    EXPECT_EQ(again.find("another GPU", stage, large), nullptr);
    EXPECT_EQ(again.find("fake GPU", stage, {.M = 128, .N = 128, .K = 128}), nullptr);
    EXPECT_EQ(again.find("fake GPU", stage_named("naive"), large), nullptr);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1); // nothing unfinished is left
}

TEST_F(TunedFileTest, AWinnerIsTheDefaultWhereTheStageTakesIt)
{
    const kernels::Stage& stage = stage_named("autotuned");
    app::TunedFile file(path());
    file.remember(winner(64, 100));
    EXPECT_EQ(app::standard_parameters(file, stage, {.name = "fake GPU"}, large), stage.cpu_variants.at(1));
    EXPECT_EQ(app::standard_parameters(file, stage, {.name = "another GPU"}, large), stage.standard_parameters());
    file.remember(winner(63, 100)); // an older gemmscope's: refused now
    EXPECT_EQ(app::standard_parameters(file, stage, {.name = "fake GPU"}, large), stage.standard_parameters());
}

TEST_F(TunedFileTest, AStageMayChooseBySize)
{
    const kernels::Stage& stage = stage_named("fastest");
    const app::TunedFile none(path());
    const auto choice = [&](uint32_t sm_count, uint32_t size) {
        return app::standard_parameters(none, stage, {.sm_count = sm_count}, {.M = size, .N = size, .K = size});
    };
    const ParameterValues large_tiles = stage.standard_parameters(), small_tiles = stage.cpu_variants.at(1);
    EXPECT_EQ(choice(132, 1024), small_tiles) << "32 large tiles for 132 SMs";
    EXPECT_EQ(choice(132, 2048), large_tiles) << "128 large tiles";
    EXPECT_EQ(choice(132, 3072), small_tiles) << "288 large tiles would be three turns, the last with 24";
    EXPECT_EQ(choice(132, 4096), large_tiles);
    EXPECT_EQ(choice(132, 1), small_tiles);
    EXPECT_EQ(choice(16, 1024), large_tiles) << "enough for a smaller GPU";
    EXPECT_EQ(choice(0, 1024), large_tiles) << "no GPU";
}

TEST_F(TunedFileTest, ABrokenFileIsReportedAndKept)
{
    fs::create_directories(folder_);
    for (const char* text :
         {"{\"version\": 1, \"winners\": [{\"gpu\"", "{\"version\": 9, \"winners\": []}", "", "[]"}) {
        std::ofstream(path()) << text;
        app::TunedFile file(path());
        EXPECT_NE(file.broken().find(path().string()), std::string::npos) << text;
        EXPECT_TRUE(file.winners().empty());
        file.remember(winner(64, 100));
        EXPECT_TRUE(app::TunedFile(path()).broken().empty());
    }
    EXPECT_TRUE(fs::exists(path().string() + ".broken"));
    EXPECT_TRUE(fs::exists(path().string() + ".broken4"));
    std::ifstream kept(path().string() + ".broken");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "{\"version\": 1, \"winners\": [{\"gpu\"");
}

TEST_F(TunedFileTest, WhatCannotBeWrittenIsSaid)
{
    std::ofstream(folder_.string()) << "a file where a folder should be";
    app::TunedFile file(path());
    EXPECT_THROW(file.remember(winner(64, 100)), kernels::Error);
}

TEST(SizeClass, IsTheNearestPowerOfTwo)
{
    EXPECT_EQ(app::size_class({.M = 4096, .N = 4095, .K = 4097}), "4096x4096x4096");
    EXPECT_EQ(app::size_class({.M = 1000, .N = 1, .K = 3}), "1024x1x4");
}

} // namespace
