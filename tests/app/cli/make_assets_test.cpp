// scripts/make-assets with a fake program that answers like gemmscope with a GPU. The files that it writes can be read.
#include "app/data/catalogue.h"

#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace {

using test::says;

// Runs the script with tests/data/fake_gemmscope.py as the program.
::testing::AssertionResult make_assets(const test::ShippedFolder& folder, const std::string& arguments,
                                       const std::string& environment = "")
{
    const std::string source = test::source_tree();
    const std::string command =
        environment + " GEMMSCOPE=" + source + "/tests/data/fake_gemmscope.py OUT=" + folder.path().string() + " " +
        source + "/scripts/make-assets " + arguments + " > " + (folder.path() / "log").string() + " 2>&1";
    if (std::system(command.c_str()) == 0)
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << std::ifstream(folder.path() / "log").rdbuf();
}

TEST(MakeAssets, WritesShapesAndKernelsOfCublasThatTheWindowReads)
{
    const test::ShippedFolder folder;
    ASSERT_TRUE(make_assets(folder, "--only shapes --only library", "FAKE_SPLIT=1"));
    const viz::Shapes shapes = app::read_shapes(folder.path(), test::ladder());
    ASSERT_EQ(shapes.missing, recording::Reasons());
    const auto pair = viz::split_pair(shapes);
    ASSERT_TRUE(pair.has_value());
    EXPECT_EQ(pair->whole->slug, "warp_tile");
    EXPECT_EQ(pair->split.size(), 3u) << "2, 4 and 8 slices";
    const auto gains = viz::split_gains(*pair);
    ASSERT_EQ(gains.size(), 5u);
    EXPECT_EQ(gains.front().whole->problem.K, 65536u);
    EXPECT_EQ(gains.front().whole->blocks, 4u);
    EXPECT_EQ(gains.front().split->blocks, 32u);
    EXPECT_DOUBLE_EQ(gains.front().gain(), 8);
    EXPECT_DOUBLE_EQ(gains.back().gain(), 1) << "1,024 blocks are enough";
    const viz::LibraryKernels library = app::read_library(folder.path());
    ASSERT_EQ(library.missing, recording::Reasons());
    EXPECT_EQ(library.sm_count, 132u);
    EXPECT_EQ(library.rows.size(), 4u * 9) << "four cubes and five shapes of four types";
    const viz::LibraryKernels::Row* tall = library.find("fp32", {.M = 256, .N = 256, .K = 65536, .beta = 3});
    ASSERT_NE(tall, nullptr) << "find() ignores the scalars";
    ASSERT_EQ(tall->at.kernels.size(), 1u);
    EXPECT_EQ(tall->at.kernels[0].launch.grid, (recording::Index3{2, 4, 1}));
    EXPECT_EQ(tall->at.kernels[0].resources.registers_per_thread, 122u);
    EXPECT_EQ(tall->at.from.device, "fake GPU");
    EXPECT_TRUE(tall->at.from.shipped);
    EXPECT_EQ(library.find("fp32", {.M = 128, .N = 128, .K = 128}), nullptr);
}

TEST(MakeAssets, WritesRandomShapesThatTheWindowReads)
{
    const test::ShippedFolder folder;
    ASSERT_TRUE(make_assets(folder, "--only random"));
    const viz::RandomShapes read = app::read_random_shapes(folder.path(), test::ladder());
    ASSERT_EQ(read.missing, recording::Reasons());
    EXPECT_EQ(read.from.device, "fake GPU");
    std::string date = read.from.date;
    std::erase(date, '-');
    EXPECT_EQ(std::to_string(read.seed), date) << "the seed changes by date";
    ASSERT_EQ(read.series.size(), 1u);
    EXPECT_EQ(read.series[0].slug, "naive");
    EXPECT_EQ(read.series[0].shapes.size(), 60u);
    EXPECT_EQ(read.series[0].shapes.front().of_cublas, 0.5);
    EXPECT_NEAR(mean_share(read.series[0]).of_cublas, 1, 1e-12);
    EXPECT_EQ(mean_share(read.series[0], viz::ShapeRows::whole).shapes, 15u) << "every fourth K";
    EXPECT_FALSE(make_assets(test::ShippedFolder(), "--only random", "FAKE_WRONG=1"))
        << "a wrong result must not be shipped";
}

TEST(MakeAssets, WritesCountersAndCandidatesThatTheWindowReads)
{
    const test::ShippedFolder folder;
    ASSERT_TRUE(make_assets(folder, "--only counters --candidates"));
    const app::ShippedCounters read = app::read_counters(folder.path(), test::ladder());
    ASSERT_EQ(read.missing, recording::Reasons());
    ASSERT_EQ(read.rows.size(), 4u) << "naive at three sizes, vector_add at one";
    const kernels::Stage& naive = test::stage("naive");
    const auto found = read.of(naive, naive.standard_parameters());
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].problem.K, 1024u);
    EXPECT_EQ(found[2].problem.K, 4096u);
    EXPECT_EQ(found[0].l1_hits, 0.5);
    EXPECT_FALSE(found[0].l2_hits.has_value());
    EXPECT_EQ(found[0].from.device, "fake GPU");
    EXPECT_TRUE(found[0].from.shipped);
    EXPECT_EQ(read.rows[1].counters.percents.at("sm__throughput.avg.pct_of_peak_sustained_elapsed"), 62.5);
    ASSERT_EQ(read.libraries.size(), 5u * 2) << "five types of cuBLAS at two sizes";
    EXPECT_EQ(read.libraries.back().slug, "cublas_dgemm");
    EXPECT_EQ(read.libraries.back().problem.M, 4096u);
    EXPECT_EQ(read.libraries.back().counters.launches, 2);
    const kernels::Job job{&naive, naive.standard_parameters(), {.M = 128, .N = 128, .K = 128}};
    const app::CountedRow* counted = read.find(job);
    ASSERT_NE(counted, nullptr) << "counters for the counters tab";
    EXPECT_EQ(counted->counters.sums.at("dram__bytes_read.sum"), 7u);
    const auto run = read.run_of(naive, naive.standard_parameters());
    ASSERT_TRUE(run.has_value()) << "executed instructions and stall reasons";
    EXPECT_EQ(run->problem.K, 1024u) << "one launch that fills a GPU";
    EXPECT_EQ(run->run->executed(), 12u);
    EXPECT_EQ(run->run->samples->kept(), 7u);
    EXPECT_EQ(std::ranges::count_if(read.rows, [](const app::CountedRow& row) { return row.run != nullptr; }), 1);
    const auto searches = app::read_searches(folder.path(), test::ladder()).searches;
    ASSERT_EQ(searches.size(), 1u);
    EXPECT_EQ(searches[0].ranked.front().gflops, 40000);
}

// The counters of other stages stay, with their dates.
TEST(MakeAssets, OneStageIsCountedAlone)
{
    const test::ShippedFolder folder;
    ASSERT_TRUE(make_assets(folder, "--only counters"));
    nlohmann::json earlier = nlohmann::json::parse(std::ifstream(folder.path() / "counters.json"));
    earlier["date"] = "2026-01-02";
    std::ofstream(folder.path() / "counters.json") << earlier;
    EXPECT_FALSE(make_assets(folder, "--only speeds --stage naive")) << "all stages are timed in one run";
    EXPECT_FALSE(make_assets(folder, "--only counters --stage none"));
    ASSERT_TRUE(make_assets(folder, "--only counters --stage naive", "FAKE_BYTES=8"));
    const app::ShippedCounters read = app::read_counters(folder.path(), test::ladder());
    ASSERT_EQ(read.missing, recording::Reasons());
    ASSERT_EQ(read.rows.size(), 4u);
    for (const app::CountedRow& row : read.rows) {
        const bool anew = row.slug == "naive";
        EXPECT_EQ(row.counters.sums.at("dram__bytes_read.sum"), anew ? 8u : 7u) << row.slug;
        EXPECT_EQ(row.date == "2026-01-02", !anew) << row.slug;
    }
    ASSERT_EQ(read.libraries.size(), 5u * 2);
    EXPECT_EQ(read.libraries.front().date, "2026-01-02");
}

TEST(MakeAssets, WritesWarpsThatTheWindowReads)
{
    const test::ShippedFolder folder;
    ASSERT_TRUE(make_assets(folder, "--only warps", "FAKE_WATCHED=1"));
    const viz::WatchedStages read = app::read_warps(folder.path(), test::ladder());
    ASSERT_EQ(read.missing, recording::Reasons());
    EXPECT_EQ(read.rows.size(), 4u * 2);
    EXPECT_EQ(read.from.device, "fake GPU");
    const auto found = few_and_many(read, "vectorized");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->few->resident_warps(), 8u);
    EXPECT_EQ(found->few->extra_shared, 100000u);
    EXPECT_EQ(found->many->resident_warps(), 32u);
}

// Counters whose sums differ are not written, and the script reports this.
TEST(MakeAssets, RefusesARunWhoseSumsDiffer)
{
    const test::ShippedFolder folder;
    const ::testing::AssertionResult made = make_assets(folder, "--only counters", "FAKE_LOST_SAMPLES=1");
    EXPECT_FALSE(made);
    EXPECT_TRUE(says(made.message(), "7 samples, 0 dropped and 2 of other kernels are 9, and 14 were taken"));
}

} // namespace
