#include "tests/viz/analysis/recordings.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/heatmap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace {

using recording::Op;
using namespace viz;

model::Pattern pattern(int width, const std::function<uint64_t(int)>& offset, uint32_t mask = ~0u)
{
    model::Pattern result{.width = width, .mask = mask, .offset = {}};
    for (int lane = 0; lane < 32; ++lane)
        result.offset[static_cast<std::size_t>(lane)] = offset(lane);
    return result;
}

TEST(BankPicture, EveryWordIsDrawnOnceAndRowsAreWavefronts)
{
    // 16 bytes per lane, 32 bytes apart: lanes 0-3 use banks 0-3, 8-11, 16-19, 24-27, and lanes 4-7 use the same banks.
    const BankPicture picture = bank_picture(Op::shared_load, pattern(16, [](int lane) { return lane * 32; }));
    EXPECT_EQ(picture.cost, (model::SharedCost{8, 4}));
    ASSERT_EQ(picture.rows.size(), 8u);
    for (std::size_t row = 0; row < 8; ++row) {
        EXPECT_EQ(picture.rows[row].group, static_cast<int>(row / 2));
        EXPECT_EQ(picture.rows[row].conflict, row % 2 == 1);
    }
    ASSERT_EQ(picture.spans.size(), 32u);
    int words = 0;
    for (const BankSpan& span : picture.spans) {
        EXPECT_EQ(span.banks, 4);
        EXPECT_EQ(std::popcount(span.lanes), 1);
        const int lane = std::countr_zero(span.lanes);
        EXPECT_EQ(span.bank, lane % 4 * 8);
        EXPECT_EQ(span.word, static_cast<uint64_t>(lane) * 8);
        EXPECT_EQ(span.wavefront, lane / 4);
        words += span.banks;
    }
    EXPECT_EQ(words, 32 * 4);
    EXPECT_EQ(picture.groups, (std::vector<uint32_t>{0xff, 0xff00, 0xff0000, 0xff000000}));
    const Message also{"banks.also", {{"lanes", "8 and 12; 16 and 20; 24 and 28"}}};
    EXPECT_EQ(picture.reason, (Messages{{"banks.two_words",
                                         {{"lanes", "0 and 4"},
                                          {"bank", index(0)},
                                          {"low", index(0)},
                                          {"high", index(32)},
                                          {"apart", 32},
                                          {"also", Messages{also}}}}}));
}

// Eight lanes on each of four words, all in bank 0.
TEST(BankPicture, AtomicOperationsWaitByTheirRule)
{
    model::Pattern four = pattern(4, [](int lane) { return lane % 4 * 128; });
    four.atomic = recording::AtomicRule::lane_by_lane;
    const BankPicture apart = bank_picture(Op::shared_atomic, four);
    EXPECT_EQ(apart.cost, (model::SharedCost{32, 31}));
    EXPECT_EQ(apart.rows.size(), 32u);
    EXPECT_EQ(apart.spans.size(), 32u);
    ASSERT_EQ(apart.clashes.size(), 1u);
    EXPECT_EQ(apart.clashes[0].times, 32);
    EXPECT_EQ(apart.reason.front().id, "banks.atomic_meets");
    four.atomic = recording::AtomicRule::counted;
    const BankPicture together = bank_picture(Op::shared_atomic, four);
    EXPECT_EQ(together.cost, (model::SharedCost{4, 3}));
    ASSERT_EQ(together.spans.size(), 4u);
    EXPECT_EQ(std::popcount(together.spans[0].lanes), 8);
    four.atomic = recording::AtomicRule::not_measured;
    const BankPicture unknown = bank_picture(Op::shared_atomic, four);
    EXPECT_TRUE(unknown.rows.empty());
    EXPECT_EQ(unknown.reason.front().id, "banks.atomic_unknown");
    recording::Access access{.op = Op::shared_atomic, .width = 4, .mask = 1};
    access.atomic = recording::AtomicRule::not_measured;
    EXPECT_FALSE(has_shared_cost(access));
    EXPECT_EQ(atomic_cost_words(access), "cost not known: no rule is known for this operation");
    access.atomic = recording::AtomicRule::counted;
    EXPECT_EQ(atomic_cost_words(access), "1 wavefront");
}

// A compare-and-swap serves the lanes of a turn in two wavefronts, of which an H200 counts one as a conflict.
TEST(BankPicture, AtomicOperationsOfTwoWavefronts)
{
    model::Pattern pair = pattern(4, [](int lane) { return lane < 2 ? 0 : lane * 4; });
    const auto conflicts = [](const BankPicture& picture) {
        std::vector<bool> rows;
        for (const auto& row : picture.rows)
            rows.push_back(row.conflict);
        return rows;
    };
    pair.atomic = recording::AtomicRule::compare_and_swap;
    const BankPicture swap = bank_picture(Op::shared_atomic, pair);
    EXPECT_EQ(swap.cost, (model::SharedCost{4, 1}));
    EXPECT_EQ(conflicts(swap), (std::vector{false, false, true, false}));
    EXPECT_EQ(std::ranges::count(swap.spans, 3, &BankSpan::wavefront), 1) << "lane 1 in its second wavefront";
}

// The block's heat map has atomic operations whose cost is known, in a row of their own.
TEST(Heatmap, HasAtomicOperations)
{
    recording::BlockTrace block;
    block.warps.resize(1);
    for (const auto rule : {recording::AtomicRule::lane_by_lane, recording::AtomicRule::not_measured})
        block.warps[0].accesses.push_back(
            {.op = Op::shared_atomic, .array = 3, .width = 4, .line = 7, .mask = 0xff, .atomic = rule});
    const Heatmap map = heatmap(block, std::nullopt);
    ASSERT_EQ(map.rows.size(), 1u);
    EXPECT_EQ(map.rows[0].op, Op::shared_atomic);
    EXPECT_EQ(map.totals, (recording::SharedTotals{1, 8, 7}));
}

// With 16 bytes per lane, 8 lanes are served together, or 16 if each lane reads the same as its neighbour.
TEST(BankPicture, SaysHowManyLanesAreServedTogetherAndWhy)
{
    const BankPicture apart = bank_picture(Op::shared_load, pattern(16, [](int lane) { return lane * 16; }));
    EXPECT_EQ(apart.together.lanes, 8);
    EXPECT_FALSE(apart.together.merged);
    EXPECT_EQ(group_messages(apart), (Messages{{"banks.call_group", {{"lanes", 8}}}}));
    const BankPicture alike = bank_picture(Op::shared_load, pattern(16, [](int lane) { return lane / 2 * 16; }));
    EXPECT_EQ(alike.cost.wavefronts, 2);
    EXPECT_EQ(alike.together.lanes, 16);
    EXPECT_TRUE(alike.together.merged);
    EXPECT_EQ(group_messages(alike), (Messages{{"banks.call_merged", {{"lanes", 16}}}}));
    EXPECT_TRUE(group_messages(bank_picture(Op::shared_load, pattern(4, [](int lane) { return lane * 4; }))).empty());
    const BankPicture clash = bank_picture(Op::shared_load, pattern(16, [](int lane) { return lane * 32; }));
    EXPECT_EQ(clash.callout.front().arguments[1],
              (Argument{"within", Messages{{"banks.within_group", {{"lanes", 8}}}}}));
}

// All 32 lanes write to different banks. They wait for other lanes' reads in L1, which is not a bank conflict.
TEST(BankPicture, AWaitForL1IsNoBankConflict)
{
    model::CopyPattern copy{.width = 4, .bypass = false, .from = {}, .to = {}};
    for (uint64_t lane = 0; lane < 32; ++lane) {
        copy.to[lane] = lane * 4;
        copy.from[lane] = lane % 8 * 4 + lane / 8 * 512;
    }
    const BankPicture picture = bank_picture(copy);
    ASSERT_GT(picture.cost.conflicts, 0);
    EXPECT_EQ(picture.waits, picture.cost.conflicts);
    EXPECT_EQ(picture.bank_conflicts(), 0);
    recording::BlockTrace block{{0, 0, 0}, {{}}};
    auto& accesses = block.warps[0].accesses;
    accesses.push_back(
        access_of(Op::async_load, 0, 4, 7, [&](uint32_t lane) { return static_cast<uint32_t>(copy.from[lane]); }));
    accesses.push_back(
        access_of(Op::async_store, 3, 4, 7, [&](uint32_t lane) { return static_cast<uint32_t>(copy.to[lane]); }));
    const Heatmap map = heatmap(block);
    ASSERT_EQ(map.rows.size(), 1u);
    EXPECT_EQ(map.copies.conflicts, static_cast<uint64_t>(picture.cost.conflicts))
        << "these include waits for L1, as the hardware's do";
    EXPECT_EQ(map.rows[0].totals.conflicts, 0u);
    EXPECT_EQ(map.conflicts, 0u);
}

// Lanes 0-15 access banks 0-15. Lanes 16-31 access the same banks, at words that are 512 words further.
TEST(BankPicture, SaysWhichBanksAnswerTwice)
{
    const BankPicture picture =
        bank_picture(Op::shared_store, pattern(4, [](int lane) { return (lane % 16 + lane / 16 * 512) * 4; }));
    ASSERT_EQ(picture.clashes.size(), 1u);
    EXPECT_EQ(picture.clashes[0].banks, 0xffffu);
    EXPECT_EQ(picture.clashes[0].times, 2);
    EXPECT_EQ(
        picture.callout,
        (Messages{
            {"banks.call_conflict",
             {{"banks", Value(16).as(Meaning::conflict)}, {"within", Messages()}, {"times", Message{"banks.twice"}}}},
            {"banks.call_words",
             {{"bank", index(0)}, {"low", index(0)}, {"high", index(512)}, {"more", false}, {"lanes", "0 and 16"}}}}));
}

TEST(BankPicture, BroadcastIsOneSpanOfAllLanes)
{
    const BankPicture picture = bank_picture(Op::shared_load, pattern(4, [](int) { return 68; }));
    EXPECT_EQ(picture.cost, (model::SharedCost{1, 0}));
    ASSERT_EQ(picture.spans.size(), 1u);
    EXPECT_EQ(picture.spans[0].lanes, 0xffffffffu);
    EXPECT_EQ(picture.spans[0].bank, 17);
    EXPECT_EQ(picture.reason, (Messages{{"banks.same_bytes_all", {{"lanes", 32}, {"store", false}, {"bytes", 4}}}}));
}

TEST(BankPicture, ManyLanesOnOneBank)
{
    const BankPicture picture = bank_picture(Op::shared_store, pattern(4, [](int lane) { return lane * 128; }));
    EXPECT_EQ(picture.cost, (model::SharedCost{32, 31}));
    EXPECT_FALSE(picture.rows[0].conflict);
    EXPECT_TRUE(picture.rows[31].conflict);
    EXPECT_EQ(
        picture.reason,
        (Messages{{"banks.many_words", {{"lanes", "0-31"}, {"words", 32}, {"bank", index(0)}, {"also", Messages{}}}}}));
}

TEST(BankPicture, ConflictFreeCasesSayWhy)
{
    EXPECT_EQ(bank_picture(Op::shared_load, pattern(4, [](int lane) { return lane * 4; })).reason,
              (Messages{{"banks.different_banks", {{"store", false}}}}));
    const BankPicture wide = bank_picture(Op::shared_store, pattern(16, [](int lane) { return lane * 16; }));
    EXPECT_EQ(wide.cost, (model::SharedCost{4, 0}));
    EXPECT_EQ(wide.reason, (Messages{{"banks.full_width", {{"lanes", 32}, {"bytes", 16}, {"moved", 512}}}}));
    const auto zero = [](int) { return 0; };
    EXPECT_EQ(bank_picture(Op::shared_load, pattern(4, zero, 0)).reason, (Messages{{"banks.idle"}}));
    // One lane in each quarter of the warp. These are only 64 bytes, but each quarter takes a wavefront.
    const BankPicture few = bank_picture(Op::shared_store, pattern(
                                                               16, [](int lane) { return lane * 16; }, 0x01010101u));
    EXPECT_EQ(few.cost, (model::SharedCost{4, 0}));
    EXPECT_EQ(few.reason, (Messages{{"banks.lane_groups", {{"lanes", 4}, {"groups", 4}}}}));
}

TEST(LaneText, RunsAndLists)
{
    EXPECT_EQ(lane_list(1u << 5), "lane 5");
    EXPECT_EQ(lane_list(0xff), "lanes 0-7");
    EXPECT_EQ(lane_list(0xf0f), "lanes 0-3, 8-11");
    EXPECT_EQ(lane_list(0x11111111), "lanes 0, 4, 8 ... 28 (8 lanes)");
    EXPECT_EQ(lane_list(0), "no lane");
    EXPECT_EQ(lane_run(0xff00), "8-15");
    EXPECT_EQ(lane_run(0x101), "");
}

// Two warps of one block: line 10 stores (warp 1 with a 2-way conflict), line 20 loads at two steps.
recording::BlockTrace two_warps()
{
    const auto free = access_of(Op::shared_store, 3, 4, 10, [](uint32_t lane) { return lane * 4; });
    const auto twice = access_of(Op::shared_store, 3, 4, 10, [](uint32_t lane) { return lane * 8; });
    const auto load = access_of(Op::shared_load, 4, 16, 20, [](uint32_t lane) { return lane * 32; });
    recording::BlockTrace block;
    block.warps.push_back({{free, barrier_at(15), load, load}});
    block.warps.push_back({{twice, barrier_at(15), load}});
    return block;
}

TEST(Heatmap, CellsRowsAndTotalsAddUp)
{
    const Heatmap map = heatmap(two_warps());
    ASSERT_EQ(map.rows.size(), 2u);
    EXPECT_EQ(map.steps, 4u);
    EXPECT_EQ(map.rows[0].line, 10u);
    EXPECT_EQ(map.rows[0].op, Op::shared_store);
    EXPECT_EQ(map.rows[0].totals, (recording::SharedTotals{2, 3, 1}));
    EXPECT_EQ(map.rows[1].totals, (recording::SharedTotals{3, 24, 12}));
    EXPECT_EQ(map.totals, (recording::SharedTotals{5, 27, 13}));
    EXPECT_EQ(map.worst, 8u); // step 2: both warps, 4 each
    ASSERT_TRUE(cell_at(map.rows[1], 2));
    EXPECT_EQ(cell_at(map.rows[1], 2)->totals, (recording::SharedTotals{2, 16, 8}));
    EXPECT_EQ(cell_at(map.rows[1], 3)->totals, (recording::SharedTotals{1, 8, 4}));
    EXPECT_EQ(cell_at(map.rows[1], 1), nullptr);
    EXPECT_EQ(worst_cell(map.rows[1], 0, 4)->step, 2u);
    EXPECT_EQ(worst_cell(map.rows[1], 3, 4)->step, 3u);
    EXPECT_EQ(worst_cell(map.rows[1], 0, 2), nullptr);
}

TEST(Heatmap, ACellLeadsToAWarpThatConflicts)
{
    const recording::BlockTrace block = two_warps();
    const Heatmap map = heatmap(block);
    EXPECT_EQ(worst_warp(block, map.rows[0], 0, 0), 1u) << "warp 0 stores without one";
    EXPECT_EQ(worst_warp(block, map.rows[0], 0, 1), 1u);
    EXPECT_EQ(worst_warp(block, map.rows[1], 2, 0), 0u) << "this warp has conflicts";
    EXPECT_EQ(worst_warp(block, map.rows[1], 1, 0), 0u) << "no warp has conflicts";
}

// ldmatrix is counted in the row of loads, and the write of a copy in the row of stores.
TEST(Heatmap, ACellOfOtherKindsLeadsToAWarpThatConflicts)
{
    const auto rows = [](uint32_t apart) {
        return access_of(Op::matrix_load, 3, 16, 10, [apart](uint32_t lane) { return lane * apart; });
    };
    const auto from = access_of(Op::async_load, 0, 4, 20, [](uint32_t lane) { return lane * 4; });
    const auto to = [](uint32_t apart) {
        return access_of(Op::async_store, 3, 4, 20, [apart](uint32_t lane) { return lane * apart; });
    };
    recording::BlockTrace block;
    block.warps.push_back({{rows(16), from, to(4)}});
    block.warps.push_back({{rows(128), from, to(128)}});
    const Heatmap map = heatmap(block);
    ASSERT_EQ(map.rows.size(), 2u);
    EXPECT_EQ(worst_warp(block, map.rows[0], 0, 0), 1u);
    EXPECT_EQ(worst_warp(block, map.rows[1], 2, 0), 1u);
}

TEST(Heatmap, OneWarpAlone)
{
    const Heatmap map = heatmap(two_warps(), 1);
    EXPECT_EQ(map.totals, (recording::SharedTotals{2, 10, 5}));
    EXPECT_EQ(map.worst, 4u);
}

TEST(Access, TheNearestIsLookedForBackThenAhead)
{
    const recording::BlockTrace block = two_warps();
    const recording::WarpTrace& warp = block.warps[0];
    const auto nearest_shared = [](const recording::WarpTrace& of, std::size_t step) {
        return nearest_step(of, step, [&](std::size_t i) { return is_shared(of.accesses[i].op); });
    };
    EXPECT_EQ(nearest_shared(warp, 0), 0u);
    EXPECT_EQ(nearest_shared(warp, 1), 0u); // from the barrier
    EXPECT_EQ(nearest_shared(warp, 2), 2u);
    EXPECT_EQ(nearest_shared(warp, 99), 3u);
    recording::WarpTrace late{{barrier_at(1), warp.accesses[2]}};
    EXPECT_EQ(nearest_shared(late, 0), 1u);
    EXPECT_EQ(nearest_shared({{barrier_at(1)}}, 0), std::nullopt);
    EXPECT_EQ(nearest_shared({}, 0), std::nullopt);
}

TEST(Access, ElementsAreTheInverseOfALayout)
{
    recording::Array array = array_of("As", recording::Space::shared, 2, 4);
    array.bytes = 2 * 5 * 4; // one unused float after each row
    for (uint32_t row = 0; row < 2; ++row)
        for (uint32_t col = 0; col < 4; ++col)
            array.layout.push_back((row * 5 + (col ^ 1)) * 4);
    const Elements elements(array);
    for (uint32_t row = 0; row < 2; ++row)
        for (uint32_t col = 0; col < 4; ++col)
            EXPECT_EQ(elements.at(array.offset_of(row, col)), (Cell{row, col}));
    EXPECT_EQ(elements.at(4 * 4), std::nullopt); // the padding
    EXPECT_EQ(elements.at(1000), std::nullopt);

    const auto access = access_of(
        Op::shared_load, 0, 16, 1, [](uint32_t) { return 0; }, 1);
    const auto cells = cells_of_lane(access, elements, 4, 0);
    EXPECT_EQ(cells, (std::vector<Cell>{{0, 1}, {0, 0}, {0, 3}, {0, 2}}));
    EXPECT_EQ(element_name("As", cells), "As(0, 1), As(0, 0), As(0, 3), As(0, 2)");
    EXPECT_EQ(element_name("Bs", {{3, 104}, {3, 105}, {3, 106}, {3, 107}}), "Bs(3, 104..107)");
    EXPECT_TRUE(cells_of_lane(access, elements, 4, 1).empty());
}

} // namespace
