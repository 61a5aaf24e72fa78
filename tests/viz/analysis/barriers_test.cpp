// Data races that a barrier prevents, derived by hand.
#include "tests/viz/analysis/recordings.h"

#include "viz/analysis/barriers.h"

#include <gtest/gtest.h>

namespace {

using recording::Op;
using recording::Space;
using namespace viz;

// Two warps of 4 lanes share a row of 8 elements. Each stores its half. After a barrier, each reads one element of its
// own half and the other half. After a second barrier, each stores its half again.
recording::Recording exchange()
{
    recording::Recording r;
    r.arrays = {array_of("A", Space::global, 1, 1), array_of("B", Space::global, 1, 1),
                array_of("C", Space::global, 1, 1), array_of("As", Space::shared, 2, 4)};
    r.blocks.push_back({{0, 0, 0}, {}});
    for (uint32_t warp = 0; warp < 2; ++warp) {
        const uint32_t own = warp * 16, other = 16 - own;
        const auto store = access_of(
            Op::shared_store, 3, 4, 11, [=](uint32_t lane) { return own + lane * 4; }, 0xf);
        const auto read = access_of(
            Op::shared_load, 3, 4, 13, [=](uint32_t lane) { return other + lane * 4; }, 0xf);
        const auto mine = access_of(
            Op::shared_load, 3, 4, 14, [=](uint32_t) { return own; }, 1);
        r.blocks[0].warps.push_back({{store, barrier_at(12), mine, read, barrier_at(15), store}});
    }
    return r;
}

TEST(Barriers, TheFirstGuardsReadsTheSecondOverwriting)
{
    const recording::Recording r = exchange();
    const BlockBarriers barriers(r, r.blocks[0]);
    ASSERT_FALSE(barriers.missing());
    ASSERT_EQ(barriers.count(), 2u);
    EXPECT_EQ(barriers.at(1, 1), 0u);
    EXPECT_EQ(barriers.at(1, 4), 1u);
    EXPECT_FALSE(barriers.at(1, 2).has_value()) << "a load";
    const BarrierRaces first = barriers.races(0, 1);
    EXPECT_EQ(first.read.accesses, 8u) << "four reads by each warp";
    EXPECT_EQ(first.read.all, 10u) << "each warp also reads one of its own elements";
    EXPECT_EQ(first.read.cells[3].size(), 8u);
    EXPECT_EQ(first.overwrite.accesses, 0u);
    ASSERT_TRUE(first.read.example.has_value());
    EXPECT_EQ(first.read.example->after_warp, 1u) << "the chosen one";
    EXPECT_EQ(first.read.example->before_warp, 0u);
    EXPECT_EQ(first.read.example->cell, (Cell{0, 0}));
    EXPECT_EQ(first.read.example->before_line, 11u);
    EXPECT_EQ(first.read.example->after_line, 13u);
    const BarrierRaces second = barriers.races(1, 0);
    EXPECT_EQ(second.read.all, 0u);
    EXPECT_EQ(second.overwrite.accesses, 8u) << "each element was read by the other warp";
    EXPECT_EQ(second.overwrite.all, 8u);
    EXPECT_EQ(second.overwrite.example->after_line, 11u);
    EXPECT_EQ(second.overwrite.example->before_line, 13u);
    EXPECT_EQ(barriers.summary().of_reads, 1u);
    EXPECT_EQ(barriers.summary().of_overwrites, 1u);
    EXPECT_EQ(barriers.summary().of_both + barriers.summary().of_nothing, 0u);
}

TEST(Barriers, AWarpNeedsNoneForItself)
{
    recording::Recording r = exchange();
    for (recording::WarpTrace& warp : r.blocks[0].warps)
        warp.accesses.erase(warp.accesses.begin() + 3); // removes the read of the other half
    const BlockBarriers barriers(r, r.blocks[0]);
    EXPECT_FALSE(barriers.races(0, 0).guards());
    EXPECT_FALSE(barriers.races(1, 0).guards());
    EXPECT_EQ(barriers.summary().of_nothing, 2u);
}

// The data of a copy may arrive at any time until its thread has waited for it, here two barriers later.
TEST(Barriers, CopiesAreThereWhenTheirThreadHasWaited)
{
    recording::Recording r = exchange();
    for (std::size_t i = 0; i < 2; ++i) {
        std::vector<recording::Access>& steps = r.blocks[0].warps[i].accesses;
        recording::Access copy = steps[0];
        copy.op = Op::async_store;
        const recording::Access read = steps[3];
        const recording::Access commit{.op = Op::async_commit}, wait{.op = Op::async_wait, .width = 0};
        // The first read is before the wait, so its barrier is too early.
        steps = {copy, commit, barrier_at(20), read, wait, barrier_at(21), read, barrier_at(22), copy, commit};
    }
    const BlockBarriers barriers(r, r.blocks[0]);
    ASSERT_EQ(barriers.count(), 3u);
    EXPECT_FALSE(barriers.races(0, 0).guards()) << "no thread has waited for the copy";
    EXPECT_EQ(barriers.races(0, 0).read.all, 8u);
    EXPECT_EQ(barriers.races(1, 0).read.accesses, 8u);
    EXPECT_EQ(barriers.races(2, 0).overwrite.accesses, 8u) << "by the next copy, although no thread waits for it";
}

TEST(Barriers, WhatIsNotKnownIsSaid)
{
    recording::Recording r = exchange();
    r.blocks[0].warps[1].accesses.push_back(barrier_at(30));
    EXPECT_EQ(BlockBarriers(r, r.blocks[0]).missing(), BlockBarriers::Missing::warps_apart) << "one warp alone";
    recording::Recording bulk = exchange();
    bulk.blocks[0].warps[0].accesses.push_back({.op = Op::bulk_store, .array = 3});
    EXPECT_EQ(BlockBarriers(bulk, bulk.blocks[0]).missing(), BlockBarriers::Missing::of_whole_tiles);
}

} // namespace
