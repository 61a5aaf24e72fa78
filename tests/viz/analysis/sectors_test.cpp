// Lines, sectors and used bytes of accesses to global memory.
#include "tests/says.h"
#include "tests/viz/analysis/recordings.h"

#include "viz/analysis/sectors.h"
#include "viz/text/rich.h"

#include <gtest/gtest.h>

namespace {

using recording::Op;
using recording::Space;
using test::says;

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
    EXPECT_TRUE(says(viz::plain(picture.reason), "coalesced"));
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
    EXPECT_TRUE(says(viz::plain(picture.reason), "512 bytes, 1 row of A:"));
}

TEST(Sectors, ABroadcastAndAMisalignedRowAreToldApart)
{
    const auto same = viz::sector_picture(access_of(Op::global_load, 0, 4, 1, [](uint32_t) { return 40; }), matrix);
    EXPECT_EQ(same.sectors, 1u);
    EXPECT_EQ(same.lines[0].lanes[10], 0xffffffffu);
    EXPECT_TRUE(same.lines[0].touches(1));
    EXPECT_FALSE(same.lines[0].touches(0));
    EXPECT_TRUE(says(viz::plain(same.reason), "(broadcast)"));
    const auto shifted =
        viz::sector_picture(access_of(Op::global_load, 0, 4, 1, [](uint32_t lane) { return 4 + 4 * lane; }), matrix);
    EXPECT_EQ(shifted.sectors, 5u);
    EXPECT_TRUE(says(viz::plain(shifted.reason), "does not begin a sector"));
    EXPECT_EQ(viz::sector_picture(access_of(
                                      Op::global_load, 0, 4, 1, [](uint32_t) { return 0; }, 0),
                                  matrix)
                  .sectors,
              0u);
}

// Waste is traffic beyond that of a contiguous access. Half of one sector is no waste. Two sectors for 4 bytes each
// are.
TEST(Sectors, WasteIsMoreThanTheFewest)
{
    const auto half = access_of(
        Op::global_load, 0, 4, 1, [](uint32_t lane) { return 4 * lane; }, 0xf);
    EXPECT_EQ(viz::fewest_sectors(half), 1u);
    const auto same = access_of(Op::global_load, 0, 4, 1, [](uint32_t) { return 64; });
    EXPECT_EQ(viz::fewest_sectors(same), 1u);
    const auto apart = access_of(Op::global_load, 0, 4, 1, [](uint32_t lane) { return 512 * lane; });
    EXPECT_EQ(viz::fewest_sectors(apart), 4u);
    EXPECT_EQ(viz::sector_picture(apart, matrix).least_sectors, 4u);
}

// All lanes add to one word: it is sent 32 times.
TEST(Sectors, AnAtomicOperationSendsASectorOnceForEachLaneOfAWord)
{
    recording::Access access{.op = recording::Op::global_atomic,
                             .array = 2,
                             .width = 4,
                             .line = 1,
                             .mask = ~0u,
                             .atomic = recording::AtomicRule::sectors};
    const recording::Array array{.name = "total", .rows = 1, .cols = 8, .bytes = 32};
    EXPECT_EQ(viz::sector_picture(access, array).sectors, 32u);
    EXPECT_EQ(viz::sector_picture(access, array).least_sectors, 1u);
    recording::WarpTrace warp{{access}};
    EXPECT_EQ(viz::nearest_global(warp, 0), 0u);
    warp.accesses.insert(warp.accesses.end(), 2, {.op = recording::Op::global_load, .width = 4, .line = 2, .mask = 0});
    EXPECT_EQ(viz::nearest_global(warp, 1), 1u);
    warp.accesses[2].op = recording::Op::barrier;
    EXPECT_EQ(viz::nearest_global(warp, 2), 0u) << "no lane takes part in the load before";
    warp.accesses.resize(1);
    warp.accesses[0].atomic = recording::AtomicRule::not_measured;
    EXPECT_EQ(viz::nearest_global(warp, 0), std::nullopt);
}

// Each pattern has as many sectors as the measured rule says.
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
    EXPECT_DOUBLE_EQ(use[0].sectors_per_request(), 2.5) << "a value of the block, like used_share()";
    EXPECT_DOUBLE_EQ(use[0].fetches_per_sector(), 2.5);
    EXPECT_DOUBLE_EQ(use[0].used_share(), 264.0 / 320);
    EXPECT_EQ(viz::nearest_global(recording.blocks[0].warps[0], 2), 1u);
}

// Two requests of 32 lines each, and one of a single line. The launch has eight times as many, on a source line that A
// and B share.
TEST(Sectors, ALaunchIsSharedOutByWhatTheBlockDoes)
{
    recording::Recording recording;
    recording.arrays = {matrix, array_of("B", Space::global, 64, 128)};
    recording.blocks.push_back({{0, 0, 0}, {{}}});
    auto& accesses = recording.blocks[0].warps[0].accesses;
    const auto column = access_of(Op::global_load, 0, 4, 7, [](uint32_t lane) { return 512 * lane; });
    accesses = {column, column, access_of(Op::global_load, 1, 4, 7, [](uint32_t lane) { return 4 * lane; })};
    recording.lines.push_back({.line = 7, .totals = {}});
    recording.lines.back().totals.global_load = {24, 8 * 68};
    const std::vector<viz::GlobalUse> uses = viz::global_use(recording, recording.blocks[0]);
    ASSERT_EQ(uses.size(), 2u);
    EXPECT_EQ(uses[0].launch.requests, 16u);
    EXPECT_EQ(uses[0].launch.sectors, 8u * 64);
    EXPECT_EQ(uses[0].lines_per_request(), 32);
    EXPECT_EQ(uses[1].launch.sectors, 8u * 4);
    EXPECT_EQ(uses[1].lines_per_request(), 1);
    const viz::LaunchMoves all = viz::launch_moves(uses);
    EXPECT_EQ(all.requests, 24u);
    EXPECT_EQ(all.sectors, 8u * 68);
    EXPECT_EQ(all.lines, 16 * 32 + 8);
}

} // namespace
