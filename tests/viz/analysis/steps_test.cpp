// Steps of rungs with tensor cores and asynchronous copies: phases, contents of tiles, costs, padded rows.
#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/access.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/timeline.h"

#include "backend.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;
using recording::Access;
using recording::Op;
using recording::Space;

Access rows(Op op, uint8_t array, uint32_t stride)
{
    return access_of(op, array, 16, 1, [stride](uint32_t lane) { return lane * stride; });
}

std::vector<PhaseKind> kinds_of(const std::vector<Access>& steps)
{
    std::vector<PhaseKind> kinds;
    for (const Phase& phase : phases({}, {steps}))
        kinds.push_back(phase.kind);
    return kinds;
}

TEST(Steps, PhasesOfAPipelineOnTheTensorCores)
{
    const Access load = rows(Op::async_load, 0, 16), store = rows(Op::async_store, 3, 16);
    const Access fragments = rows(Op::matrix_load, 3, 16), back = rows(Op::shared_load, 3, 16);
    const std::vector<Access> steps = {load,
                                       store,
                                       step_of(Op::async_commit),
                                       step_of(Op::async_wait),
                                       step_of(Op::barrier),
                                       load,
                                       store,
                                       step_of(Op::async_commit),
                                       fragments,
                                       step_of(Op::matrix_multiply),
                                       fragments,
                                       step_of(Op::matrix_multiply),
                                       back,
                                       rows(Op::global_store, 2, 16)};
    EXPECT_EQ(kinds_of(steps), (std::vector{PhaseKind::load, PhaseKind::wait, PhaseKind::barrier, PhaseKind::load,
                                            PhaseKind::compute, PhaseKind::store}));
}

TEST(Steps, ShufflesAreTheArithmeticOfARungWithoutSharedMemory)
{
    const Access load = rows(Op::global_load, 0, 16);
    EXPECT_EQ(
        kinds_of({load, load, step_of(Op::shuffle), step_of(Op::shuffle), load, load, step_of(Op::shuffle),
                  rows(Op::global_load, 2, 16), rows(Op::global_store, 2, 16)}),
        (std::vector{PhaseKind::load, PhaseKind::compute, PhaseKind::load, PhaseKind::compute, PhaseKind::store}));
}

// A has 8 x 5 elements of 2 bytes, in rows of 16 bytes. One asynchronous copy fills a tile of 8 x 8.
recording::Recording padded()
{
    recording::Recording r;
    r.problem = {8, 1, 5, 1, 0};
    r.launch = {{1, 1, 1}, {8, 1, 1}};
    recording::Array A{.name = "A", .rows = 8, .cols = 5, .element_bytes = 2, .bytes = 128, .layout = {}, .pitch = 16};
    recording::Array tile{
        .name = "As", .space = Space::shared, .rows = 8, .cols = 8, .element_bytes = 2, .bytes = 128, .layout = {}};
    r.arrays = {A, array_of("B", Space::global, 5, 1), array_of("C", Space::global, 8, 1), tile};
    Access load = rows(Op::async_load, 0, 16), store = rows(Op::async_store, 3, 16);
    load.mask = store.mask = 0xff;
    for (uint32_t lane = 8; lane < recording::warp_size; ++lane)
        load.offset[lane] = store.offset[lane] = 0;
    r.blocks = {{{0, 0, 0}, {{{load, store, step_of(Op::async_commit)}}}}};
    return r;
}

TEST(Steps, PaddingOfARowIsNoElement)
{
    const recording::Recording r = padded();
    const Elements elements(r.arrays[0]);
    EXPECT_EQ(r.arrays[0].offset_of(2, 3), 38u);
    EXPECT_EQ(elements.at(38), (Cell{2, 3}));
    EXPECT_FALSE(elements.at(42)); // column 5
    EXPECT_FALSE(elements.at(128));
    EXPECT_EQ(cells_of_lane(r.blocks[0].warps[0].accesses[0], elements, 2, 1).size(), 5u);
}

TEST(Steps, AsynchronousCopiesFillATile)
{
    const auto r = std::make_shared<recording::Recording>(padded());
    SharedContents contents(*r, r->blocks[0]);
    contents.advance_to(1);
    EXPECT_EQ(contents.at(3, {2, 3}), (Origin{Origin::Kind::element, 0, {2, 3}, 1}));
    EXPECT_EQ(touched_in(*r, 0).arrays[0].cells_read, 40u);
    EXPECT_EQ(touched_in(*r, 0).global_bytes_loaded, 80u);
    const BlockTiling tiling(r, r->blocks[0]);
    EXPECT_TRUE(tiling.uses_shared());
    EXPECT_EQ(tiling.bands()[0].bounds->rows, 8u);
}

TEST(Steps, ATileHoldsTheSameWhereverOneComesFrom)
{
    const auto backend = kernels::make_cpu_backend();
    for (const char* slug : {"vectorized", "double_buffered_halves"}) {
        const kernels::Stage& stage = test::stage(slug);
        const recording::Index3 block{0, 0, 0};
        const recording::Recording r = backend->record(
            {&stage, stage.tiny->parameters, {.M = 32, .N = 32, .K = 16}, recording::Inputs::random}, {&block, 1}, {});
        SharedContents walked(r, r.blocks[0]);
        const std::size_t ticks = walked.order().ticks();
        walked.advance_to(ticks);
        for (std::size_t tick = ticks; tick-- > 0;) {
            SharedContents fresh(r, r.blocks[0]);
            fresh.advance_to(tick);
            walked.advance_to(tick);
            for (uint8_t array = 3; array < r.arrays.size(); ++array)
                for (uint32_t row = 0; row < r.arrays[array].rows; ++row)
                    for (uint32_t col = 0; col < r.arrays[array].cols; ++col)
                        ASSERT_EQ(walked.at(array, {row, col}), fresh.at(array, {row, col})) << slug << " " << tick;
        }
    }
}

TEST(Steps, PhasesOfLdmatrixAreInTheHeatmap)
{
    recording::BlockTrace block{{0, 0, 0}, {{{rows(Op::matrix_load, 3, 128), rows(Op::async_store, 3, 16)}}}};
    const Heatmap map = heatmap(block);
    ASSERT_EQ(map.rows.size(), 1u); // without its read, the cost of a copy's write is not known
    EXPECT_EQ(map.rows[0].op, Op::shared_load);
    EXPECT_EQ(map.rows[0].totals, (recording::SharedTotals{1, 32, 28}));
}

TEST(Steps, WritesOfCopiesAreInTheHeatmapButNotInItsTotals)
{
    recording::BlockTrace block{{0, 0, 0}, {{{rows(Op::async_load, 0, 16), rows(Op::async_store, 3, 16)}}}};
    const Heatmap map = heatmap(block);
    ASSERT_EQ(map.rows.size(), 1u);
    EXPECT_EQ(map.rows[0].op, Op::shared_store);
    EXPECT_EQ(map.rows[0].totals, (recording::SharedTotals{1, 4, 0}));
    EXPECT_EQ(map.copies, map.rows[0].totals);
    EXPECT_EQ(map.totals, recording::SharedTotals{});
}

} // namespace
