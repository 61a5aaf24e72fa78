// Lines, sectors and used bytes of accesses to global memory.
#include "tests/viz/analysis/recordings.h"

#include "viz/analysis/sectors.h"

#include <gtest/gtest.h>

namespace {

using recording::Op;
using recording::Space;

const recording::Array matrix = array_of("A", Space::global, 64, 128);

TEST(Sectors, ACoalescedLoadIsOneLine)
{
    const auto picture =
        viz::sector_picture(access_of(Op::global_load, 0, 4, 1, [](uint32_t lane) { return 256 + 4 * lane; }), matrix);
    ASSERT_EQ(picture.lines.size(), 1u);
    EXPECT_EQ(picture.lines[0].offset, 256u);
    EXPECT_EQ(picture.lines[0].lanes[5], 1u << 5);
    EXPECT_EQ(picture.sectors, 4u);
    EXPECT_EQ(picture.used_bytes, 128u);
    EXPECT_NE(picture.reason.find("coalesced"), std::string::npos);
}

TEST(Sectors, AColumnTouchesASectorPerLane)
{
    const auto picture =
        viz::sector_picture(access_of(Op::global_load, 0, 4, 1, [](uint32_t lane) { return 512 * lane; }), matrix);
    EXPECT_EQ(picture.lines.size(), 32u);
    EXPECT_EQ(picture.sectors, 32u);
    EXPECT_EQ(picture.used_bytes, 128u);
    EXPECT_EQ(picture.moved_bytes(), 1024u);
    EXPECT_EQ(picture.least_sectors, 4u);
    EXPECT_NE(picture.reason.find("a whole row of A"), std::string::npos);
}

TEST(Sectors, ABroadcastAndAMisalignedRowAreToldApart)
{
    const auto same = viz::sector_picture(access_of(Op::global_load, 0, 4, 1, [](uint32_t) { return 40; }), matrix);
    EXPECT_EQ(same.sectors, 1u);
    EXPECT_EQ(same.lines[0].lanes[10], 0xffffffffu);
    EXPECT_TRUE(same.lines[0].touches(1));
    EXPECT_FALSE(same.lines[0].touches(0));
    EXPECT_NE(same.reason.find("broadcast"), std::string::npos);
    const auto shifted =
        viz::sector_picture(access_of(Op::global_load, 0, 4, 1, [](uint32_t lane) { return 4 + 4 * lane; }), matrix);
    EXPECT_EQ(shifted.sectors, 5u);
    EXPECT_NE(shifted.reason.find("one more"), std::string::npos);
    EXPECT_EQ(viz::sector_picture(access_of(
                                      Op::global_load, 0, 4, 1, [](uint32_t) { return 0; }, 0),
                                  matrix)
                  .sectors,
              0u);
}

// Whatever the pattern, as many sectors as the measured rule says.
TEST(Sectors, AgreesWithTheModel)
{
    uint32_t random = 1;
    for (int i = 0; i < 200; ++i) {
        const uint8_t width = i % 3 == 0 ? 4 : i % 3 == 1 ? 8 : 16;
        const auto access = access_of(
            Op::global_store, 0, width, 1,
            [&](uint32_t) {
                random = random * 1664525 + 1013904223;
                return random / 65536 % (i % 2 ? 300 : 4000) / width * width;
            },
            random | 1u);
        EXPECT_EQ(viz::sector_picture(access, matrix).sectors,
                  static_cast<uint64_t>(viz::global_cost(access, nullptr).sectors));
    }
}

TEST(Sectors, SumsUpALineAndCountsASectorAgain)
{
    recording::Recording recording;
    recording.arrays = {matrix};
    recording.lines = {{.line = 7, .totals = {.global_load = {.requests = 40, .sectors = 160}}}};
    recording.blocks.push_back({{0, 0, 0}, {{}, {}}});
    for (auto& warp : recording.blocks[0].warps) {
        warp.accesses.push_back(access_of(Op::global_load, 0, 4, 7, [](uint32_t lane) { return 4 * lane; }));
        warp.accesses.push_back(access_of(Op::global_load, 0, 4, 7, [](uint32_t) { return 64; }));
        warp.accesses.push_back(barrier_at(8));
    }
    const auto use = viz::global_use(recording, recording.blocks[0]);
    ASSERT_EQ(use.size(), 1u);
    EXPECT_EQ(use[0].requests, 4u);
    EXPECT_EQ(use[0].sectors, 10u);
    EXPECT_EQ(use[0].different_sectors, 4u);
    EXPECT_EQ(use[0].used_bytes, 2u * (128 + 4));
    EXPECT_DOUBLE_EQ(use[0].sectors_per_request(), 4);
    EXPECT_DOUBLE_EQ(use[0].fetches_per_sector(), 2.5);
    EXPECT_DOUBLE_EQ(use[0].used_share(), 264.0 / 320);
    EXPECT_EQ(viz::nearest_global(recording.blocks[0].warps[0], 2), 1u);
}

} // namespace
