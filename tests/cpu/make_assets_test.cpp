// scripts/make-assets with a program that answers as gemmscope does where there is a GPU: what it writes can be read.
#include "app/counter_file.h"
#include "app/shipped_searches.h"
#include "app/shipped_traffic.h"

#include "../shipped_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

TEST(MakeAssets, WritesCountersAndCandidatesThatTheWindowReads)
{
    const test::ShippedFolder folder;
    const std::string source = SOURCE_DIR;
    const std::string command = "GEMMSCOPE=" + source + "/tests/data/fake_gemmscope.py OUT=" + folder.path().string() +
                                " " + source + "/scripts/make-assets --only counters --candidates > " +
                                (folder.path() / "log").string() + " 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << std::ifstream(folder.path() / "log").rdbuf();
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const app::ShippedTraffic read = app::read_shipped_traffic(folder.path(), ladder);
    ASSERT_EQ(read.missing, "");
    ASSERT_EQ(read.rows.size(), 3u) << "naive at two sizes, vector_add at one";
    const kernels::Stage& naive = kernels::find_stage(ladder, "naive");
    const auto found = read.of("naive", naive.standard_parameters());
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[1].problem.K, 1024u);
    EXPECT_EQ(found[0].l1_hits, 0.5);
    EXPECT_FALSE(found[0].l2_hits.has_value());
    EXPECT_TRUE(found[0].origin.starts_with("counted on fake GPU, ")) << found[0].origin;
    const kernels::Job job{&naive, naive.standard_parameters(), {.M = 128, .N = 128, .K = 128}};
    const auto counters = app::read_shipped_counters(folder.path(), job);
    ASSERT_TRUE(counters.has_value()) << "the counters tab reads the same file";
    EXPECT_EQ(counters->counters.sums.at("dram__bytes_read.sum"), 7u);
    const auto searches = app::read_shipped_searches(folder.path(), ladder);
    ASSERT_EQ(searches.size(), 1u);
    EXPECT_EQ(searches[0].ranked.front().gflops, 40000);
}

} // namespace
