#include "viz/analysis/transfers.h"

#include "viz/draw/camera.h"
#include "viz/views/01_flow/facts.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>

namespace {

using recording::Access;
using recording::Op;
using namespace viz;

Access access(Op op, uint8_t array, uint8_t width, const std::function<uint32_t(uint32_t)>& offset, uint32_t mask = ~0u)
{
    Access result{.op = op, .array = array, .width = width, .line = 1, .mask = mask, .offset = {}};
    for (uint32_t lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1u)
            result.offset[lane] = offset(lane);
    return result;
}

recording::WarpTrace trace(std::vector<Access> accesses)
{
    return {std::move(accesses)};
}

// A, B, C of 64 x 64 floats, and two shared tiles of 32 x 32.
recording::Recording tiles()
{
    recording::Recording result;
    for (const char* name : {"A", "B", "C"})
        result.arrays.push_back({.name = name, .rows = 64, .cols = 64, .bytes = 16384, .layout = {}});
    for (const char* name : {"As", "Bs"})
        result.arrays.push_back(
            {.name = name, .space = recording::Space::shared, .rows = 32, .cols = 32, .bytes = 4096, .layout = {}});
    return result;
}

TEST(Ways, AStoreToHalfOfTheBanksTakesTwoTurnsAndTheSecondWaits)
{
    // Even lanes store to row 0, and odd ones 16 rows below. Lanes i and i + 1 need different words of bank i / 2.
    const auto warp =
        trace({access(Op::shared_store, 3, 4, [](uint32_t lane) { return lane / 2 * 4 + lane % 2 * 2048; })});
    const StepWays transfers = ways_of_step(tiles(), warp, 0, {});
    EXPECT_EQ(transfers.turns, 2);
    EXPECT_EQ(transfers.bank, (model::SharedCost{2, 1}));
    EXPECT_EQ(transfers.busy_banks, 16);
    EXPECT_EQ(transfers.answers, 2);
    EXPECT_EQ(transfers.waiting, 0xaaaaaaaau);
    ASSERT_EQ(transfers.transfers.size(), 32u);
    for (const Transfer& way : transfers.transfers) {
        EXPECT_TRUE(way.from.in_lane);
        EXPECT_EQ(way.from.lane, way.lane);
        EXPECT_EQ(way.to, (Endpoint{.array = 3, .offset = way.lane / 2 * 4 + way.lane % 2 * 2048u}));
        EXPECT_EQ(way.turn, static_cast<int>(way.lane % 2));
        EXPECT_EQ(way.waits, way.lane % 2 == 1);
    }
}

TEST(Ways, GroupsOfLanesTakeTurnsWithoutWaitingForABank)
{
    // 16 bytes per lane, without gaps: four groups of eight lanes have no conflict.
    const auto warp = trace({access(Op::shared_load, 4, 16, [](uint32_t lane) { return lane * 16; })});
    const StepWays transfers = ways_of_step(tiles(), warp, 0, {});
    EXPECT_EQ(transfers.turns, 4);
    EXPECT_EQ(transfers.waiting, 0u);
    EXPECT_EQ(transfers.busy_banks, 0);
    ASSERT_EQ(transfers.transfers.size(), 128u);
    for (const Transfer& way : transfers.transfers) {
        EXPECT_EQ(way.turn, static_cast<int>(way.lane / 8));
        EXPECT_FALSE(way.waits);
        EXPECT_TRUE(way.to.in_lane);
    }
}

TEST(Ways, AnAtomicOperationGoesFromEachLaneToItsElement)
{
    // Lanes 0, 8, 16 and 24 update one word, lanes 1, 9, ... the next one. Lane 31 takes no part.
    for (const auto& [op, array] :
         {std::pair{Op::shared_atomic, uint8_t{3}}, std::pair{Op::global_atomic, uint8_t{2}}}) {
        const auto warp = trace({access(
            op, array, 4, [](uint32_t lane) { return lane % 8 * 4; }, 0x7fffffffu)});
        const StepWays ways = ways_of_step(tiles(), warp, 0, {});
        EXPECT_EQ(ways.lanes_on_one, 4);
        EXPECT_EQ(ways.turns, 1);
        EXPECT_FALSE(ways.bank || ways.line) << "the cost depends on the kind of access";
        ASSERT_EQ(ways.transfers.size(), 31u);
        for (const Transfer& way : ways.transfers) {
            EXPECT_TRUE(way.from.in_lane);
            EXPECT_EQ(way.from.lane, way.lane);
            EXPECT_EQ(way.to, (Endpoint{.array = array, .offset = way.lane % 8 * 4}));
        }
        EXPECT_STREQ(verb_of(op), "updates");
        EXPECT_EQ(ways.waiting, 0u) << "the rule is not known";
    }
    Access one = access(Op::shared_atomic, 3, 4, [](uint32_t) { return 0; });
    one.atomic = recording::AtomicRule::lane_by_lane;
    const StepWays ways = ways_of_step(tiles(), trace({one}), 0, {});
    EXPECT_EQ(ways.waiting, 0xfffffffeu);
    EXPECT_FALSE(ways.transfers[0].waits);
    EXPECT_TRUE(ways.transfers[31].waits);
}

TEST(Ways, GlobalLoadsGoLineByLine)
{
    const auto column = trace({access(Op::global_load, 0, 4, [](uint32_t lane) { return lane * 256; })});
    const StepWays apart = ways_of_step(tiles(), column, 0, {});
    EXPECT_EQ(apart.turns, 32);
    EXPECT_EQ(apart.line, (model::GlobalCost{1, 32}));
    EXPECT_EQ(MemoryRows::of_lines(tiles(), apart, 1).rows(), 32u);
    const auto row = trace({access(Op::global_load, 0, 4, [](uint32_t lane) { return 256 + lane * 4; })});
    const StepWays together = ways_of_step(tiles(), row, 0, {});
    EXPECT_EQ(together.turns, 1);
    EXPECT_EQ(together.line, (model::GlobalCost{1, 4}));
    const MemoryRows rows = MemoryRows::of_lines(tiles(), together, 1);
    ASSERT_EQ(rows.bands().size(), 1u);
    EXPECT_EQ(rows.bands()[0].first, 2u);
    EXPECT_EQ(rows.place(0, 256 + 4 * 7)->word, 7u);
    EXPECT_FALSE(rows.place(1, 256));
    const MemoryRows more = MemoryRows::of_lines(tiles(), together, 4);
    ASSERT_EQ(more.bands().size(), 1u) << "with the lines that follow";
    EXPECT_EQ(more.bands()[0].first, 2u);
    EXPECT_EQ(more.rows(), 4u);
}

TEST(Ways, AnAsynchronousCopyGoesStraightToSharedMemoryAndIdleLanesBringZeros)
{
    const auto from = [](uint32_t lane) { return lane * 16; };
    const auto warp = trace({access(Op::async_load, 1, 16, from, 0xffff), access(Op::async_store, 3, 16, from)});
    const StepWays read = ways_of_step(tiles(), warp, 0, {});
    ASSERT_EQ(read.transfers.size(), 16u);
    EXPECT_EQ(read.transfers[3].from, (Endpoint{.array = 1, .offset = 48}));
    EXPECT_EQ(read.transfers[3].to, (Endpoint{.array = 3, .offset = 48}));
    const StepWays write = ways_of_step(tiles(), warp, 1, {});
    EXPECT_EQ(write.transfers.size(), 128u);
    for (const Transfer& way : write.transfers)
        EXPECT_EQ(way.from.in_lane, way.lane >= 16);
}

TEST(Ways, AShuffleGoesFromTheLaneThatIsAsked)
{
    const auto warp = trace({access(Op::shuffle, 0, 0, [](uint32_t lane) { return (lane + 1) % 32; })});
    const StepWays transfers = ways_of_step(tiles(), warp, 0, {});
    ASSERT_EQ(transfers.transfers.size(), 32u);
    EXPECT_EQ(transfers.transfers[31].from.lane, 0u);
    EXPECT_EQ(transfers.transfers[31].to.lane, 31u);
}

TEST(Ways, LdmatrixGivesRowsToTheLanesOfAFragment)
{
    Access load = access(
        Op::matrix_load, 3, 16, [](uint32_t lane) { return lane * 16; }, 0xff);
    load.transposed = recording::Transposed::no;
    const StepWays plain = ways_of_step(tiles(), trace({load}), 0, {});
    ASSERT_EQ(plain.transfers.size(), 32u);
    for (const Transfer& way : plain.transfers)
        EXPECT_EQ(way.to.lane, way.from.offset / 4) << "lane 4 * row + word";
    load.transposed = recording::Transposed::yes;
    const StepWays turned = ways_of_step(tiles(), trace({load}), 0, {});
    ASSERT_EQ(turned.transfers.size(), 64u);
    for (const Transfer& way : turned.transfers)
        if (way.from.offset == 3 * 16 + 4) { // row 3, columns 2 and 3
            EXPECT_TRUE(way.to.lane == 4 * 2 + 1 || way.to.lane == 4 * 3 + 1) << way.to.lane;
        }
    load.transposed = recording::Transposed::unknown;
    EXPECT_TRUE(ways_of_step(tiles(), trace({load}), 0, {}).transfers.empty());
    EXPECT_EQ(ways_of_step(tiles(), trace({load}), 0, {}).bank, plain.bank);
    EXPECT_EQ(ways_of_step(tiles(), trace({load}), 0, {}).asked, (std::vector<uint32_t>{0xff}))
        << "the source of each row is known nevertheless";
}

TEST(MemoryRowsOfSharedMemory, BankIsTheColumnAndTilesFollowOneAnother)
{
    const auto warp = trace({access(Op::barrier, 0, 0, [](uint32_t) { return 0; })});
    const MemoryRows rows = MemoryRows::of_shared(tiles(), warp, 0);
    EXPECT_EQ(rows.rows(), 64u);
    const auto place = rows.place(4, 128 * 5 + 4 * 31);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->row, 37u);
    EXPECT_EQ(place->word, 31u);
}

TEST(Motion, WordsOfOneTurnArriveBeforeThoseOfTheNext)
{
    for (int turn = 0; turn < 7; ++turn) {
        double arrived = 0, next = 0;
        for (double time = 0; time < 4; time += 0.01) {
            if (arrived == 0 && Motion{time}.along(turn) >= 1)
                arrived = time;
            if (next == 0 && Motion{time}.along(turn + 1) >= 1)
                next = time;
        }
        EXPECT_GT(arrived, 0);
        EXPECT_GT(next, arrived);
    }
    EXPECT_EQ(Motion{}.along(31), 1);
    EXPECT_FALSE(Motion{Motion::duration(8) - 0.01}.over(8));
    EXPECT_TRUE(Motion{Motion::duration(8) + 0.01}.over(8));
}

// A file may contain only the read or the write of a copy, or a read and a write of different widths. A width of 0 must
// not become a divisor.
TEST(Ways, HalfACopyMovesNothing)
{
    const auto from = [](uint32_t lane) { return lane * 16; };
    const auto alone =
        trace({access(Op::barrier, 0, 0, [](uint32_t) { return 0; }), access(Op::async_store, 3, 16, from)});
    EXPECT_TRUE(ways_of_step(tiles(), alone, 1, {}).transfers.empty());
    const auto unlike = trace({access(Op::async_load, 1, 4, from), access(Op::async_store, 3, 16, from)});
    EXPECT_FALSE(ways_of_step(tiles(), unlike, 1, {}).bank);
}

} // namespace
