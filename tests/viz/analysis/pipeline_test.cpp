// The order of the steps of a block's warps, and its pipeline as bars. From made-up traces and from real stages.
#include "backend.h"
#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/pipeline.h"
#include "viz/analysis/tile_use.h"
#include "viz/analysis/tiling.h"
#include "viz/text/figures.h"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace viz;
using recording::Access;
using recording::Op;
using recording::Recording;
using recording::Space;
using Kind = PipelineBar::Kind;
using test::record;

uint32_t zero(uint32_t)
{
    return 0;
}
Access at_barrier(Op op, uint32_t number)
{
    return access_of(op, 0, 0, 1, [number](uint32_t) { return number; });
}
std::vector<std::size_t> ticks_of(const BlockOrder& order, std::size_t warp, std::size_t steps)
{
    std::vector<std::size_t> ticks;
    for (std::size_t step = 0; step < steps; ++step)
        ticks.push_back(order.tick(warp, step));
    return ticks;
}

// Copies of the next k-tiles overlap the computation of one.
TEST(Phases, CopiesAreUnderWayUntilTheWaitForTheirKTile)
{
    const std::vector<Phase> phases{
        {PhaseKind::load, 0, 0, 2, 0},  {PhaseKind::load, 0, 2, 2, 1},  {PhaseKind::wait, 0, 4, 1},
        {PhaseKind::barrier, 0, 5, 1},  {PhaseKind::compute, 0, 6, 4},  {PhaseKind::load, 1, 10, 2, 2},
        {PhaseKind::wait, 1, 12, 1},    {PhaseKind::compute, 1, 13, 2}, {PhaseKind::wait, 1, 15, 1},
        {PhaseKind::compute, 1, 16, 1}, {PhaseKind::wait, 2, 17, 1},    {PhaseKind::compute, 2, 18, 4},
        {PhaseKind::load, 2, 22, 1, 3}, {PhaseKind::store, 2, 23, 2}};
    EXPECT_EQ(copies_under_way(phases),
              (std::vector<CopiesUnderWay>{{0, 2, {0}}, {2, 5, {0, 1}}, {5, 10, {1}}, {10, 13, {1, 2}}, {13, 18, {2}}}))
        << "k-tile 3 is for other warps";
    EXPECT_TRUE(copies_under_way({{PhaseKind::compute, 0, 0, 4}}).empty());
}

// In a trace of a library's kernel, shared memory is one array. Only groups of copies and barriers separate its
// contents.
TEST(Phases, RoundsOfOneSharedArrayAreCountedByGroupsOfCopies)
{
    Recording r;
    r.arrays = {{.name = "read", .space = Space::global, .rows = 1, .cols = 64, .element_bytes = 4, .bytes = 256},
                {.name = "shared", .space = Space::shared, .rows = 1, .cols = 64, .element_bytes = 4, .bytes = 256}};
    r.executed = recording::InstructionTrace{.kernel = "k", .language = "SASS"};
    const auto copy = [](uint32_t at) { return access_of(Op::async_store, 1, 4, 1, [at](uint32_t) { return at; }); };
    const auto load = [](uint32_t at) { return access_of(Op::shared_load, 1, 4, 2, [at](uint32_t) { return at; }); };
    const Access commit = step_of(Op::async_commit), wait = step_of(Op::async_wait), barrier = step_of(Op::barrier);
    recording::WarpTrace warp{{copy(0), commit, copy(64), commit,         // loaded ahead
                               wait, barrier, load(0), copy(128), commit, // computes the first k-tile, loads the third
                               wait, barrier, load(64), wait, barrier, load(128)}};
    std::vector<int> fetched, computed;
    for (const Phase& phase : phases(r, warp)) {
        if (phase.kind == PhaseKind::load)
            fetched.push_back(phase.fetched);
        if (phase.kind == PhaseKind::compute)
            computed.push_back(phase.k_tile);
    }
    EXPECT_EQ(fetched, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(computed, (std::vector<int>{0, 1, 2}));
}

TEST(BlockOrder, WarpsMeetAtABarrier)
{
    const Access work = step_of(Op::shuffle);
    // The third warp has returned before the first barrier.
    const recording::BlockTrace block{
        {0, 0, 0}, {{{work, work, work, barrier_at(1), work}}, {{barrier_at(1), work, work}}, {{work}}}};
    const BlockOrder order(block);
    EXPECT_EQ(ticks_of(order, 0, 5), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(ticks_of(order, 1, 3), (std::vector<std::size_t>{3, 4, 5}));
    EXPECT_EQ(order.ticks(), 6u);
    EXPECT_EQ(order.step_at(1, 2), std::nullopt);
    EXPECT_EQ(order.step_at(1, 4), 1u);
}

// A ring of one tile, with the mbarriers 0 "full" and 1 "empty". The second warp computes.
recording::BlockTrace producer_and_consumer()
{
    const Access load = access_of(Op::bulk_load, 0, 0, 1, zero, 1), store = access_of(Op::bulk_store, 3, 0, 1, zero, 1);
    std::vector<Access> fills, computes;
    for (int tile = 0; tile < 2; ++tile) {
        for (const Access& access : {at_barrier(Op::wait, 1), at_barrier(Op::arrive, 0), load, store})
            fills.push_back(access);
        for (const Access& access : {at_barrier(Op::wait, 0), step_of(Op::matrix_multiply), at_barrier(Op::arrive, 1)})
            computes.push_back(access);
    }
    return {{0, 0, 0}, {{fills}, {computes}}};
}

TEST(BlockOrder, FreeTilesHoldNobodyBackAndFullOnesAreWaitedFor)
{
    const BlockOrder order(producer_and_consumer());
    // At first the tile is free. The second time, the producer waits until tick 6 releases the tile.
    EXPECT_EQ(ticks_of(order, 0, 8), (std::vector<std::size_t>{0, 1, 2, 3, 7, 8, 9, 10}));
    // The tile is full when the copies are issued, and not when they are announced.
    EXPECT_EQ(ticks_of(order, 1, 6), (std::vector<std::size_t>{4, 5, 6, 11, 12, 13}));
}

// mbarriers 0 and 1 are "full", 2 and 3 "empty". The second tile is filled before the consumer waits for the first.
TEST(BlockOrder, AProducerRunsAheadByTheStagesOfItsRing)
{
    const Access load = access_of(Op::bulk_load, 0, 0, 1, zero, 1), store = access_of(Op::bulk_store, 3, 0, 1, zero, 1);
    std::vector<Access> fills, computes;
    for (uint32_t tile = 0; tile < 2; ++tile) {
        for (const Access& access : {at_barrier(Op::wait, 2 + tile), at_barrier(Op::arrive, tile), load, store})
            fills.push_back(access);
        for (const Access& access : {at_barrier(Op::wait, tile), step_of(Op::matrix_multiply)})
            computes.push_back(access);
    }
    for (const uint32_t tile : {0u, 1u})
        computes.push_back(at_barrier(Op::arrive, 2 + tile));
    const BlockOrder order(recording::BlockTrace{{0, 0, 0}, {{fills}, {computes}}});
    EXPECT_EQ(ticks_of(order, 0, 8), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(ticks_of(order, 1, 4), (std::vector<std::size_t>{4, 5, 8, 9}));
}

TEST(BlockOrder, EndsWhereARecordingDoesNot)
{
    const recording::BlockTrace block{{0, 0, 0}, {{{at_barrier(Op::wait, 7), step_of(Op::shuffle)}}}};
    EXPECT_EQ(BlockOrder(block).ticks(), 2u);
}

Recording with_tiles(std::vector<recording::Array> tiles)
{
    Recording r;
    r.problem = {4, 4, 4, 1, 0};
    r.launch = {{1, 1, 1}, {32, 1, 1}};
    r.arrays = {array_of("A", Space::global, 4, 4), array_of("B", Space::global, 4, 4),
                array_of("C", Space::global, 4, 4)};
    for (recording::Array& tile : tiles)
        r.arrays.push_back(std::move(tile));
    return r;
}

std::vector<std::pair<std::size_t, std::size_t>> spans(const std::vector<PipelineBar>& bars)
{
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (const PipelineBar& bar : bars)
        result.emplace_back(bar.from, bar.end);
    return result;
}

// Two stages are filled ahead. One group may be in flight while the other stage is used.
TEST(Pipeline, GroupsOfCopiesAreUnderWayUntilTheirWait)
{
    Recording r = with_tiles({array_of("As[0]", Space::shared, 4, 4), array_of("As[1]", Space::shared, 4, 4)});
    const auto copy = [](uint8_t tile) {
        return std::vector<Access>{access_of(Op::async_load, 0, 4, 1, zero),
                                   access_of(Op::async_store, tile, 4, 1, zero), step_of(Op::async_commit)};
    };
    std::vector<Access> steps;
    const auto add = [&](const std::vector<Access>& more) { steps.insert(steps.end(), more.begin(), more.end()); };
    const auto wait_for_one = [&](uint8_t under_way) {
        Access wait = step_of(Op::async_wait);
        wait.width = under_way;
        add({wait, barrier_at(2)});
    };
    add(copy(3));                                      // 0-2: k-tile 0
    add(copy(4));                                      // 3-5: k-tile 1
    wait_for_one(1);                                   // 6, 7
    add({access_of(Op::shared_load, 3, 4, 3, zero)});  // 8
    wait_for_one(0);                                   // 9, 10
    add({access_of(Op::shared_load, 4, 4, 3, zero)});  // 11
    add({access_of(Op::global_store, 2, 4, 4, zero)}); // 12
    r.blocks = {{{0, 0, 0}, {{steps}}}};
    const std::vector<Phase> all = phases(r, r.blocks[0].warps[0]);
    EXPECT_EQ(k_tiles_of(all), 2);
    EXPECT_EQ(all[0].fetched, 0);
    EXPECT_EQ(all[0].count, 3u) << "the timeline ends a load with its group, as the lanes of time do";
    EXPECT_EQ(all[1].fetched, 1);
    const Pipeline pipeline = pipeline_of(r, r.blocks[0], BlockOrder(r.blocks[0]), 0);
    ASSERT_EQ(pipeline.roles.size(), 1u);
    const PipelineRole& role = pipeline.roles[0];
    ASSERT_EQ(role.copies.size(), 2u);
    EXPECT_EQ(spans(role.copies[0]), (std::vector<std::pair<std::size_t, std::size_t>>{{0, 7}}));
    EXPECT_EQ(spans(role.copies[1]), (std::vector<std::pair<std::size_t, std::size_t>>{{3, 10}}));
    EXPECT_EQ(role.copies[0][0].k_tile, 0);
    EXPECT_EQ(role.copies[1][0].k_tile, 1);
    EXPECT_EQ(spans(role.work), (std::vector<std::pair<std::size_t, std::size_t>>{{8, 9}, {11, 12}, {12, 13}}));
    EXPECT_EQ(role.work[0].k_tile, 0);
    EXPECT_EQ(role.work[1].k_tile, 1);
    EXPECT_EQ(role.work[2].kind, Kind::store);
    EXPECT_EQ(role.waits.size(), 4u);
    EXPECT_EQ(pipeline.overlapped, 1);
}

TEST(Pipeline, ProducerAndConsumerAreTwoRoles)
{
    Recording r = with_tiles({array_of("As", Space::shared, 4, 4)});
    r.blocks = {producer_and_consumer()};
    const Pipeline pipeline = pipeline_of(r, r.blocks[0], BlockOrder(r.blocks[0]), 1);
    ASSERT_EQ(pipeline.roles.size(), 2u);
    EXPECT_EQ(warps_text(pipeline.roles[0].warps), "warp 0");
    ASSERT_EQ(pipeline.roles[0].copies.size(), 1u);
    // A copy lasts from its first bulk load until the consumer has seen the full tile.
    EXPECT_EQ(spans(pipeline.roles[0].copies[0]), (std::vector<std::pair<std::size_t, std::size_t>>{{2, 5}, {9, 12}}));
    EXPECT_TRUE(pipeline.roles[0].work.empty());
    EXPECT_TRUE(pipeline.roles[1].copies.empty());
    EXPECT_EQ(pipeline.roles[1].work.front().k_tile, 0);
    EXPECT_EQ(pipeline.k_tiles, 2);
    EXPECT_EQ(pipeline.overlapped, 0); // impossible with one tile
}

TEST(Pipeline, NamesWarpsInRuns)
{
    EXPECT_EQ(warps_text({3}), "warp 3");
    EXPECT_EQ(warps_text({0, 1, 2, 5, 7, 8}), "warps 0-2, 5, 7-8");
}

// With K = 128: how many k-tiles of BK columns there are, and how many are computed during the copy of a later one.
TEST(StagePipeline, CountsKTilesOfEveryKindOfPipeline)
{
    struct Case {
        const char* slug;
        int k_tiles, overlapped;
    };
    for (const Case& rung : {Case{"vectorized", 16, 0},
                             {"warp_tile", 8, 0},
                             {"prefetched", 16, 15},
                             {"double_buffered_halves", 8, 7},
                             {"async_copy", 8, 7},
                             {"fastest", 16, 15},
                             {"mma_ldmatrix", 4, 3},
                             {"wmma", 2, 0}}) {
        const Recording r = record(rung.slug, {128, 128, 128});
        for (const recording::WarpTrace& warp : r.blocks[0].warps)
            if (const int k_tiles = k_tiles_of(phases(r, warp)); k_tiles > 0) { // some warps only copy
                EXPECT_EQ(k_tiles, rung.k_tiles) << rung.slug;
            }
        const Pipeline pipeline = pipeline_of(r, r.blocks[0], BlockOrder(r.blocks[0]), 0);
        EXPECT_EQ(pipeline.k_tiles, rung.k_tiles) << rung.slug;
        EXPECT_EQ(pipeline.overlapped, rung.overlapped) << rung.slug;
    }
    const Recording shuffles = record("warp_shuffle", {16, 128, 24});
    EXPECT_EQ(k_tiles_of(phases(shuffles, shuffles.blocks[0].warps[0])), 3);
    EXPECT_TRUE(pipeline_of(shuffles, shuffles.blocks[0], BlockOrder(shuffles.blocks[0]), 0).roles.empty());
}

// Eight k-tiles of ten ticks, six of which are computation.
TEST(Pipeline, ShowsSoManyTicksThatNumbersHaveRoom)
{
    Pipeline pipeline{.ticks = 80, .k_tiles = 8};
    PipelineRole role;
    for (std::size_t i = 0; i < 8; ++i)
        role.work.push_back(
            {.kind = Kind::compute, .from = 10 * i + 4, .end = 10 * i + 10, .k_tile = static_cast<int>(i)});
    pipeline.roles.push_back(role);
    EXPECT_DOUBLE_EQ(ticks_with_room(pipeline, 40), 80) << "all of it";
    EXPECT_DOUBLE_EQ(ticks_with_room(pipeline, 8), 48) << "six ticks for each number";
    EXPECT_DOUBLE_EQ(ticks_with_room(pipeline, 1), 20) << "no fewer than two k-tiles";
    pipeline.roles.clear();
    EXPECT_DOUBLE_EQ(ticks_with_room(pipeline, 4), 40) << "only the number of k-tiles is known";
}

// A and B are copied in two groups. Results in A's tile at the end are not another k-tile.
TEST(Phases, TwoGroupsThatFillTwoArraysAreOneKTile)
{
    Recording r;
    r.arrays = {{.name = "A", .space = Space::global, .rows = 1, .cols = 64, .element_bytes = 4, .bytes = 256},
                {.name = "As", .space = Space::shared, .rows = 1, .cols = 32, .element_bytes = 4, .bytes = 128},
                {.name = "Bs", .space = Space::shared, .rows = 1, .cols = 32, .element_bytes = 4, .bytes = 128}};
    r.executed = recording::InstructionTrace{.kernel = "k", .language = "PTX"};
    const auto copy = [](uint8_t array) { return access_of(Op::async_store, array, 4, 1, zero); };
    const auto load = [](uint8_t array) { return access_of(Op::shared_load, array, 4, 2, zero); };
    const Access commit = step_of(Op::async_commit), wait = step_of(Op::async_wait), barrier = step_of(Op::barrier),
                 result = access_of(Op::shared_store, 1, 4, 3, zero);
    const recording::WarpTrace warp{{copy(1), commit,  copy(2), commit,  wait,   barrier, load(1), load(2), barrier,
                                     copy(1), commit,  copy(2), commit,  wait,   barrier, load(1), load(2), barrier,
                                     result,  barrier, load(1), barrier, result, barrier, load(1)}};
    std::set<int> fetched, computed;
    for (const Phase& phase : phases(r, warp)) {
        if (phase.kind == PhaseKind::load && phase.fetched >= 0)
            fetched.insert(phase.fetched);
        if (phase.kind == PhaseKind::compute)
            computed.insert(phase.k_tile);
    }
    EXPECT_EQ(fetched, (std::set<int>{0, 1}));
    EXPECT_EQ(computed, (std::set<int>{0, 1}));
}

// K-tiles that are loaded ahead are in registers, in the other half of a double buffer, or in a ring of stages.
TEST(StagePipeline, CountsTheKTilesUnderWay)
{
    for (const auto& [slug, count] : {std::pair{"vectorized", 1},
                                      {"prefetched", 2},
                                      {"double_buffered_halves", 2},
                                      {"async_copy", 3},
                                      {"mma_ldmatrix", 4}}) {
        const Recording r = record(slug, {128, 128, 128});
        EXPECT_EQ(k_tiles_under_way(r, r.blocks[0]), count) << slug;
    }
    Recording r; // one tile, with the values of the next one in registers
    r.arrays = {{.name = "A", .space = Space::global, .rows = 1, .cols = 64, .element_bytes = 4, .bytes = 256},
                {.name = "As", .space = Space::shared, .rows = 1, .cols = 32, .element_bytes = 4, .bytes = 128}};
    const Access load = access_of(Op::global_load, 0, 4, 1, zero), store = access_of(Op::shared_store, 1, 4, 2, zero),
                 use = access_of(Op::shared_load, 1, 4, 3, zero), barrier = step_of(Op::barrier);
    r.blocks = {{{0, 0, 0}, {{{load, store, barrier, load, use, barrier, store, barrier, use}}}}};
    EXPECT_EQ(k_tiles_under_way(r, r.blocks[0]), 2);
    const Recording shuffles = record("warp_shuffle", {16, 128, 24});
    EXPECT_FALSE(k_tiles_under_way(shuffles, shuffles.blocks[0])) << "the values do not pass through shared memory";
}

// Whatever the order of loads, a shared load of k-tile t reads columns of A from t * BK on.
TEST(StagePipeline, PhasesReadTheKTileThatTheyAreCountedTo)
{
    for (const auto& [slug, BK] : {std::pair{"prefetched", 8u}, {"double_buffered_halves", 16u}, {"async_copy", 16u}}) {
        const Recording r = record(slug, {40, 36, 50});
        SharedContents contents(r, r.blocks[0]);
        for (std::size_t warp : {std::size_t{0}, r.blocks[0].warps.size() - 1})
            for (const Phase& phase : phases(r, r.blocks[0].warps[warp])) {
                if (phase.kind != PhaseKind::compute)
                    continue;
                contents.advance_to(contents.order().tick(warp, phase.first));
                const Access& access = r.blocks[0].warps[warp].accesses[phase.first];
                const Elements elements(r.arrays[access.array]);
                for (uint32_t lane = 0; lane < 32; ++lane)
                    for (const Cell& cell : cells_of_lane(access, elements, 4, lane)) {
                        const Origin origin = contents.at(access.array, cell);
                        EXPECT_NE(origin.kind, Origin::Kind::unknown) << slug;
                        if (origin.kind == Origin::Kind::element && origin.array == 0) {
                            EXPECT_EQ(origin.cell.col / BK, static_cast<uint32_t>(phase.k_tile)) << slug;
                        }
                    }
            }
    }
}

// Returns the read or the write of a bulk copy. One thread issues the copy.
recording::Access bulk(Op op, uint8_t array, uint32_t offset)
{
    return access_of(
        op, array, 0, 1, [offset](uint32_t) { return offset; }, 1);
}

// Two copies of 2 x 2 fill a tile of 2 x 4. B has 3 columns, so the second box extends beyond it.
TEST(BulkCopies, BoxesFillTheTileAndZerosStandForWhatIsOutside)
{
    Recording r = with_tiles({array_of("Bs", Space::shared, 2, 4)});
    r.arrays[1] = array_of("B", Space::global, 4, 3);
    // The boxes begin at B(2, 0) and B(2, 2).
    r.blocks = {{{0, 0, 0},
                 {{{bulk(Op::bulk_load, 1, 24), bulk(Op::bulk_store, 3, 0), bulk(Op::bulk_load, 1, 32),
                    bulk(Op::bulk_store, 3, 8)}}}}};
    const std::vector<BulkCopy> copies = bulk_copies(r, r.blocks[0].warps[0]);
    ASSERT_EQ(copies.size(), 2u);
    EXPECT_EQ(copies[0].source, (CellRect{2, 0, 2, 2}));
    EXPECT_EQ(copies[1].source, (CellRect{2, 2, 2, 2}));
    EXPECT_EQ(copies[1].target, (CellRect{0, 2, 2, 2}));
    SharedContents contents(r, r.blocks[0]);
    contents.advance_to(3);
    EXPECT_EQ(contents.at(3, {1, 1}), (Origin{Origin::Kind::element, 1, {3, 1}, 1}));
    EXPECT_EQ(contents.at(3, {1, 2}), (Origin{Origin::Kind::element, 1, {3, 2}, 3}));
    EXPECT_EQ(contents.at(3, {1, 3}).kind, Origin::Kind::outside);
    const PhaseTouch touch = touched_in(r, 0);
    EXPECT_EQ(touch.arrays[3].cells_written, 8u);
    EXPECT_EQ(touch.arrays[1].cells_read, 6u);
    EXPECT_EQ(touch.global_bytes_loaded, 24u);
    const auto kept = std::make_shared<const Recording>(r);
    BlockTiling tiling(kept, kept->blocks[0]);
    EXPECT_TRUE(tiling.uses_shared());
    EXPECT_EQ(tiling.bands()[1].bounds, (CellRect{2, 0, 2, 3}));
    tiling.contents().advance_to(3);
    const Highlight highlight = highlight_of(tiling, 0, 3, 0);
    EXPECT_EQ(highlight.all[3].size(), 4u);
    EXPECT_EQ(highlight.all[1].size(), 2u);
    EXPECT_TRUE(highlight.lane[3].empty()) << "no lane carries out the copy";
}

// Two copies store the halves of a tile to C. The boxes are those of the tile, and these copies fill no tile.
TEST(BulkCopies, ATileIsCopiedBack)
{
    Recording r = with_tiles({array_of("Cs", Space::shared, 2, 4)});
    r.arrays[2] = array_of("C", Space::global, 4, 8);
    // The boxes begin at C(1, 4) and C(1, 6).
    r.blocks = {{{0, 0, 0},
                 {{{step_of(Op::wait), bulk(Op::bulk_load, 3, 0), bulk(Op::bulk_store, 2, 48),
                    bulk(Op::bulk_load, 3, 8), bulk(Op::bulk_store, 2, 56)}}}}};
    const std::vector<BulkCopy> copies = bulk_copies(r, r.blocks[0].warps[0]);
    ASSERT_EQ(copies.size(), 2u);
    EXPECT_EQ(copies[0].source, (CellRect{0, 0, 2, 2}));
    EXPECT_EQ(copies[0].target, (CellRect{1, 4, 2, 2}));
    EXPECT_EQ(copies[1].source, (CellRect{0, 2, 2, 2}));
    EXPECT_EQ(copies[1].target, (CellRect{1, 6, 2, 2}));
    uint64_t loaded = 0, cells = 0;
    for (std::size_t phase = 0; phase < phases(r, r.blocks[0].warps[0]).size(); ++phase) {
        const PhaseTouch touch = touched_in(r, phase);
        loaded += touch.global_bytes_loaded;
        cells += touch.arrays[3].cells_read + touch.arrays[2].cells_written;
    }
    EXPECT_EQ(loaded, 0u) << "from global memory";
    EXPECT_EQ(cells, 16u);
    SharedContents contents(r, r.blocks[0]);
    contents.advance_to(4);
    const auto readers = viz::uses_of_cell(r, r.blocks[0], 3, {1, 3});
    ASSERT_EQ(readers.size(), 1u);
    EXPECT_FALSE(readers[0].store);
}

// A bulk copy to global memory is a store, even if its tile is one that the block computes with.
TEST(BulkCopies, ACopyBackIsAStore)
{
    Recording r = with_tiles({array_of("Bs", Space::shared, 2, 4)});
    r.blocks = {{{0, 0, 0},
                 {{{bulk(Op::bulk_load, 1, 0), bulk(Op::bulk_store, 3, 0), step_of(Op::wait),
                    access_of(Op::shared_load, 3, 4, 0, [](uint32_t lane) { return lane % 8 * 4; }),
                    bulk(Op::bulk_load, 3, 0), bulk(Op::bulk_store, 2, 0)}}}}};
    const std::vector<Phase> all = phases(r, r.blocks[0].warps[0]);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].kind, PhaseKind::load);
    EXPECT_EQ(all[0].fetched, 0);
    EXPECT_EQ(all[1].kind, PhaseKind::wait);
    EXPECT_EQ(all[2].kind, PhaseKind::compute);
    EXPECT_EQ(all[3].kind, PhaseKind::store);
    EXPECT_EQ(all[3].count, 2u);
    EXPECT_LT(all[3].fetched, 0);
}

// The second box starts beyond the end of B's row, which is the offset of the next row's first element.
TEST(BulkCopies, ABoxOutsideOfItsRowIsNotTakenForTheNextRow)
{
    Recording r = with_tiles({array_of("Bs", Space::shared, 2, 4)});
    r.arrays[1] = array_of("B", Space::global, 4, 2);
    r.blocks = {{{0, 0, 0},
                 {{{bulk(Op::bulk_load, 1, 8), bulk(Op::bulk_store, 3, 0), bulk(Op::bulk_load, 1, 16),
                    bulk(Op::bulk_store, 3, 8)}}}}};
    SharedContents contents(r, r.blocks[0]);
    contents.advance_to(3);
    EXPECT_EQ(contents.at(3, {0, 0}).cell, (Cell{1, 0}));
    EXPECT_EQ(contents.at(3, {0, 2}).kind, Origin::Kind::outside);
    EXPECT_EQ(contents.at(3, {1, 3}).kind, Origin::Kind::outside);
}

// Returns a tile with elements of two bytes.
recording::Array narrow_tile(const char* name, uint32_t rows, uint32_t cols)
{
    recording::Array tile = array_of(name, Space::shared, rows, cols);
    tile.element_bytes = 2;
    return tile;
}

// Returns a product's read of a tile. `offset` is where the operand begins.
recording::Access operand(uint8_t array, uint32_t offset, uint32_t instruction = 0)
{
    recording::Access access = access_of(Op::matrix_multiply, array, 0, 1, [offset](uint32_t) { return offset; });
    access.instruction = instruction;
    return access;
}

// Products of 64 rows and 16 k with 2-byte elements. The step of A has the row, and the step of B has the k.
TEST(BulkCopies, OperandsOfAWarpgroup)
{
    const recording::Array a = narrow_tile("As", 128, 64), b = narrow_tile("Bs", 64, 128);
    const Recording r = with_tiles({a, b});
    const recording::WarpTrace warp{
        {step_of(Op::barrier), operand(3, 64 * 128), operand(4, 0), operand(3, 64 * 128), operand(4, 16 * 256)}};
    EXPECT_FALSE(group_operands(r, warp, 0));
    const auto first = group_operands(r, warp, 2), second = group_operands(r, warp, 3);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->a_cells, (CellRect{64, 0, 64, 16}));
    EXPECT_EQ(second->a_cells, (CellRect{64, 16, 64, 16}));
    EXPECT_EQ(second->b_cells, (CellRect{16, 0, 16, 128}));
    EXPECT_EQ(cells_of_step(r, warp, 4, Elements(b), {}).size(), 16u * 128);
}

// A product of transposes. The step of B is first, and has k and the first of 64 columns. All rows of A are read.
TEST(BulkCopies, OperandsOfATurnedWarpgroup)
{
    const recording::Array a = narrow_tile("As", 80, 64), b = narrow_tile("Bs", 64, 128);
    const Recording r = with_tiles({a, b});
    const recording::WarpTrace warp{
        {step_of(Op::barrier), operand(4, 64 * 2), operand(3, 0), operand(4, 16 * 256 + 64 * 2), operand(3, 0)}};
    const auto first = group_operands(r, warp, 1), second = group_operands(r, warp, 4);
    ASSERT_TRUE(first && second);
    EXPECT_TRUE(first->turned);
    EXPECT_EQ(first->a_cells, (CellRect{0, 64, 16, 64})) << "of B";
    EXPECT_EQ(first->b_cells, (CellRect{0, 0, 80, 16})) << "of A";
    EXPECT_EQ(second->a_cells, (CellRect{16, 64, 16, 64}));
    EXPECT_EQ(second->b_cells, (CellRect{0, 16, 80, 16}));
    EXPECT_EQ(first->rows_of_c(), 80u);
    EXPECT_EQ(first->cols_of_c(), 64u);
    EXPECT_EQ(cells_of_step(r, warp, 3, Elements(b), {}).size(), 16u * 64);
}

// In other kernels the instruction determines the layout of operands. Here B is stored along k, and the descriptors
// begin at k.
TEST(BulkCopies, OperandsAsTheInstructionSays)
{
    const recording::Array a = narrow_tile("As", 64, 64), b = narrow_tile("Bs", 64, 64);
    Recording r = with_tiles({a, b});
    r.executed = recording::InstructionTrace{.kernel = "k", .language = "PTX"};
    const std::string product =
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%f1, ..., %f16}, %rd1, %rd2, %p1, 1, 1, ";
    r.executed->instructions = {{product + "0, 0", 1, 1}, {product + "0, 1", 2, 1}};
    const recording::WarpTrace warp{
        {operand(3, 32, 1), operand(4, 32, 1), step_of(Op::barrier), operand(3, 64, 2), operand(4, 64 * 128 / 2, 2)}};
    const auto along_k = group_operands(r, warp, 0), along_n = group_operands(r, warp, 3);
    ASSERT_TRUE(along_k && along_n);
    EXPECT_EQ(along_k->a_cells, (CellRect{0, 16, 64, 16}));
    EXPECT_EQ(along_k->b_cells, (CellRect{0, 16, 32, 16}));
    EXPECT_EQ(along_k->columns, 32u);
    EXPECT_EQ(along_n->a_cells, (CellRect{0, 32, 64, 16}));
    EXPECT_EQ(along_n->b_cells, (CellRect{32, 0, 16, 32}));
}

} // namespace
