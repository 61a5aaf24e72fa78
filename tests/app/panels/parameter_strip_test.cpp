// What the strip of a parameter's values says of a value before it is compiled.
#include "app/panels/header/stages_row.h"

#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

using namespace app;

// vectorized on an H200: 8 KiB of tiles would let 8 blocks in, and the registers of its threads let 2.
TEST(ParameterStrip, CountsBlocksAsOccupancyDoesAndSaysWhereRegistersAreNotKnown)
{
    ParameterFacts now{.launch = {{1, 1, 1}, {256, 1, 1}}, .tiles = {}, .shared_bytes = 8192};
    ParameterFacts then = now;
    then.shared_bytes = 2 * 8192;
    const std::vector<StripChange> all = changes_of(now, then, false, 117);
    ASSERT_GE(all.size(), 2u);
    const StripChange &without = all[all.size() - 2], &with = all.back();
    EXPECT_EQ(without.what, "blocks per SM, registers aside");
    EXPECT_EQ(without.now, "8, 64 warps");
    EXPECT_EQ(with.what, "with 117 registers per thread");
    EXPECT_EQ(with.now, "2, 16 warps");
    EXPECT_EQ(with.then, "not compiled yet");
    EXPECT_EQ(changes_of(now, now, true, 117).back().then, "2, 16 warps");
    EXPECT_EQ(changes_of(now, then, false, {}).back().what, "blocks per SM, registers aside");
}

// split_k has a layer of blocks for each part of K.
TEST(ParameterStrip, SaysHowManyLayersOfBlocksThereAre)
{
    const ParameterFacts now{.launch = {{2, 2, 1}, {256, 1, 1}}, .tiles = {}, .shared_bytes = 0};
    ParameterFacts then = now;
    then.launch.grid.z = 4;
    const StripChange blocks = changes_of(now, then, false, {}).front();
    EXPECT_EQ(blocks.now, "2 × 2");
    EXPECT_EQ(blocks.then, "2 × 2 × 4");
}

TEST(ParameterStrip, SaysOnceForEachReasonWhichValuesItForbids)
{
    const ParameterStrip strip{.name = "BK",
                               .meaning = {},
                               .now = 8,
                               .values = {{2, "2", "", {}},
                                          {4, "4", "needs a GPU", {}},
                                          {16, "16", "needs a GPU", {}},
                                          {32, "32", "too many bytes", {}}},
                               .facts = {}};
    EXPECT_EQ(reasons_of(strip), (std::vector<std::string>{"BK 4, 16: needs a GPU.", "BK 32: too many bytes."}));
}

// vectorized is built in with BK 4 (its tiny form), 8 and 16; a learner looks for 32, too, and is told why not.
TEST(ParameterStrip, OffersTheUsualValuesToo)
{
    const kernels::Stage& stage = test::stage("vectorized");
    EXPECT_EQ(offered_values(stage.parameters[2]), (std::vector<int>{4, 8, 16, 32}));
    EXPECT_EQ(offered_values({.name = "KEY", .standard = 0, .choices = {0, 4}, .meaning = ""}),
              (std::vector<int>{0, 4}))
        << "no size";
    EXPECT_EQ(offered_values({.name = "TYPE", .standard = 1, .choices = {1, 2}, .meaning = ""}),
              (std::vector<int>{1, 2}))
        << "types have names";
}

} // namespace
