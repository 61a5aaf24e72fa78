// The analysis of recordings of real stages, made on the CPU.
#include "backend.h"

#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/tiling.h"
#include "viz/text/figures.h"

#include <gtest/gtest.h>

namespace {

using recording::Op;
using namespace viz;
using test::record;

TEST(StageHeatmap, VectorizedAt128EqualsTheHardwaresCounters)
{
    const recording::Recording r = record("vectorized", {128, 128, 128, 1.0f, 0.0f});
    const Heatmap map = heatmap(r.blocks[0]);
    recording::SharedTotals load, store;
    for (const HeatRow& row : map.rows) {
        recording::SharedTotals sum;
        for (const HeatCell& cell : row.cells) {
            sum.instructions += cell.totals.instructions;
            sum.wavefronts += cell.totals.wavefronts;
            sum.conflicts += cell.totals.conflicts;
        }
        EXPECT_EQ(sum, row.totals);
        recording::SharedTotals& side = row.op == Op::shared_load ? load : store;
        side = {side.instructions + sum.instructions, side.wavefronts + sum.wavefronts, side.conflicts + sum.conflicts};
    }
    EXPECT_EQ(load, (recording::SharedTotals{4096, 20480, 8192}));
    EXPECT_EQ(store, (recording::SharedTotals{640, 1536, 512}));
    EXPECT_EQ(map.totals, shared_totals(r.totals())); // one block is the whole launch
    EXPECT_EQ(map.worst, 32u);                        // 8 warps with 4 each
    EXPECT_EQ(map.rows.size(), 7u);
}

TEST(StageHeatmap, SwizzledHasNoConflict)
{
    const Heatmap map = heatmap(record("swizzled", {128, 128, 128, 1.0f, 0.0f}).blocks[0]);
    EXPECT_EQ(map.totals, (recording::SharedTotals{4736, 13312, 0}));
    EXPECT_EQ(map.worst, 0u);
}

TEST(StagePicture, EveryAccessIsDrawnInFull)
{
    for (const char* slug : {"vectorized", "padded_a", "swizzled", "shared_tile"}) {
        const recording::Recording r = record(slug, {40, 36, 20, 1.0f, 0.5f});
        for (const recording::WarpTrace& warp : r.blocks[0].warps)
            for (const recording::Access& access : warp.accesses) {
                if (!is_shared(access.op))
                    continue;
                const BankPicture picture = bank_picture(access.op, pattern_of(access));
                EXPECT_EQ(picture.cost, shared_cost(access));
                EXPECT_EQ(picture.rows.size(), static_cast<std::size_t>(picture.cost.wavefronts));
                int conflicts = 0;
                for (const BankRow& row : picture.rows)
                    conflicts += row.conflict;
                EXPECT_EQ(conflicts, picture.cost.conflicts);
                uint32_t lanes = 0;
                for (const BankSpan& span : picture.spans)
                    lanes |= span.lanes;
                EXPECT_EQ(lanes, access.mask);
            }
    }
}

TEST(StageTiling, TilesHoldWhatTheKernelsIndicesSay)
{
    const recording::Recording r = record("vectorized", {100, 36, 20, 1.0f, 0.0f});
    const std::vector<Phase> all = phases(r, r.blocks[0].warps[0]);
    EXPECT_EQ(k_tiles_of(all), 3); // 20 = 8 + 8 + 4
    SharedContents contents(r, r.blocks[0]);
    for (const Phase& phase : all) {
        if (phase.kind != PhaseKind::compute)
            continue;
        contents.advance_to(phase.first);
        const uint32_t k0 = static_cast<uint32_t>(phase.k_tile) * 8;
        for (uint32_t k = 0; k < 8; ++k)
            for (uint32_t i = 0; i < 128; ++i) {
                const Origin a = contents.at(3, {k, i}), b = contents.at(4, {k, i});
                const bool a_inside = i < 100 && k0 + k < 20, b_inside = i < 36 && k0 + k < 20;
                EXPECT_EQ(a.kind, a_inside ? Origin::Kind::element : Origin::Kind::outside)
                    << k0 << ' ' << k << ' ' << i;
                EXPECT_EQ(b.kind, b_inside ? Origin::Kind::element : Origin::Kind::outside)
                    << k0 << ' ' << k << ' ' << i;
                if (a_inside) {
                    EXPECT_EQ(a.cell, (Cell{i, k0 + k}));
                }
                if (b_inside) {
                    EXPECT_EQ(b.cell, (Cell{k0 + k, i}));
                }
            }
    }
}

TEST(StageTiling, EachValueIsReadAsOftenAsTheLadderSays)
{
    const recording::Recording r = record("shared_tile", {64, 64, 64, 1.0f, 0.0f}, {{1, 1, 0}});
    const PhaseTouch load = touched_in(r, 0);
    EXPECT_EQ(load.arrays[0].read, (std::vector<CellRect>{{32, 0, 32, 32}}));
    EXPECT_EQ(load.arrays[1].read, (std::vector<CellRect>{{0, 32, 32, 32}}));
    EXPECT_EQ(load.global_bytes_loaded, 8192u);
    const PhaseTouch compute = touched_in(r, 2);
    EXPECT_EQ(compute.arrays[3].reads / compute.arrays[3].cells_read, 32u);
}

TEST(StageOwners, SurplusThreadsOfVectorAdd)
{
    const recording::Recording r = record("vector_add", {1, 1000, 1, 1.0f, 0.0f}, {{7, 0, 0}});
    EXPECT_EQ(cells_of_block(r, 6).size(), 128u);
    EXPECT_EQ(cells_of_block(r, 7).size(), 104u);
    const auto last = owner_of(r, 0, 999);
    ASSERT_TRUE(last);
    EXPECT_EQ(last->block, 7u);
    EXPECT_EQ(last->thread, 103u);
    EXPECT_EQ(last->lane, 7u);
}

} // namespace
