// The operands in the registers of lanes: computed by hand, compared with the CPU's tensor core, and in real stages.
#include "backend.h"
#include "cpu/tensor_core.h"
#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/fragments.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <memory>
#include <set>

namespace {

using namespace viz;
using recording::Op;
using recording::Recording;
using test::record;

// From the figures of m16n8k16 in the PTX ISA: lane 5 is lane 1 of group 1.
TEST(MmaFragments, OfOneLaneAsThePtxManualDrawsThem)
{
    const MmaShape half = mma_shape(2);
    EXPECT_EQ(held_by_lane(half, MmaPart::a, 5),
              (std::vector<Cell>{{1, 2}, {1, 3}, {9, 2}, {9, 3}, {1, 10}, {1, 11}, {9, 10}, {9, 11}}));
    EXPECT_EQ(held_by_lane(half, MmaPart::b, 5), (std::vector<Cell>{{2, 1}, {3, 1}, {10, 1}, {11, 1}}));
    EXPECT_EQ(held_by_lane(half, MmaPart::sums, 5), (std::vector<Cell>{{1, 2}, {1, 3}, {9, 2}, {9, 3}}));
    const MmaShape tf32 = mma_shape(4); // m16n8k8
    EXPECT_EQ(held_by_lane(tf32, MmaPart::a, 5), (std::vector<Cell>{{1, 1}, {9, 1}, {1, 5}, {9, 5}}));
    EXPECT_EQ(held_by_lane(tf32, MmaPart::b, 5), (std::vector<Cell>{{1, 1}, {5, 1}}));
    const MmaShape bytes = mma_shape(1); // m16n8k32: four elements in a register
    EXPECT_EQ(held_by_lane(bytes, MmaPart::a, 5), (std::vector<Cell>{{1, 4},
                                                                     {1, 5},
                                                                     {1, 6},
                                                                     {1, 7},
                                                                     {9, 4},
                                                                     {9, 5},
                                                                     {9, 6},
                                                                     {9, 7},
                                                                     {1, 20},
                                                                     {1, 21},
                                                                     {1, 22},
                                                                     {1, 23},
                                                                     {9, 20},
                                                                     {9, 21},
                                                                     {9, 22},
                                                                     {9, 23}}));
    EXPECT_EQ(held_by_lane(bytes, MmaPart::b, 5),
              (std::vector<Cell>{{4, 1}, {5, 1}, {6, 1}, {7, 1}, {20, 1}, {21, 1}, {22, 1}, {23, 1}}));
    EXPECT_EQ(held_by_lane(bytes, MmaPart::sums, 5), held_by_lane(half, MmaPart::sums, 5));
}

TEST(MmaFragments, NarrowTypesMultiplyMoreFromAsManyBytes)
{
    EXPECT_EQ(mma_shape(4).multiply_adds(), 1024);
    EXPECT_EQ(mma_shape(2).multiply_adds(), 2048);
    EXPECT_EQ(mma_shape(1).multiply_adds(), 4096);
    for (const uint32_t element_bytes : {1u, 2u, 4u})
        EXPECT_EQ(mma_shape(element_bytes).operand_bytes(), 768) << element_bytes;
}

// A has a single 1, and so has B, in registers that this layout determines. The product must have a single 1 at the
// place that the layout determines.
template <class Element>
void expect_single_products(MmaShape shape, uint32_t one)
{
    for (uint32_t row = 0; row < mma_rows; ++row)
        for (uint32_t k = 0; k < shape.depth; ++k) {
            const uint32_t col = (row + k) % mma_cols;
            uint32_t a[32][4] = {}, b[32][2] = {};
            float d[32][4] = {};
            const auto set = [&](auto& registers, Holder holder) {
                registers[holder.lane][holder.index / shape.packed()] |= one << (16 * (holder.index % shape.packed()));
            };
            set(a, mma_holder(shape, MmaPart::a, {row, k}));
            set(b, mma_holder(shape, MmaPart::b, {k, col}));
            std::array<cpu::Fragment, 32> lanes{};
            for (uint32_t lane = 0; lane < 32; ++lane)
                lanes[lane] = {d[lane], a[lane], b[lane]};
            cpu::multiply<Element>(lanes);
            const Holder sum = mma_holder(shape, MmaPart::sums, {row, col});
            for (uint32_t lane = 0; lane < 32; ++lane)
                for (uint32_t i = 0; i < 4; ++i)
                    EXPECT_EQ(d[lane][i], (Holder{lane, i} == sum ? 1 : 0)) << row << ' ' << k;
        }
}

TEST(MmaFragments, AreThoseOfTheCpusTensorCore)
{
    expect_single_products<Half>(mma_shape(2), 0x3c00);
    expect_single_products<Tf32>(mma_shape(4), std::bit_cast<uint32_t>(1.0f));
}

TEST(LdmatrixFragments, HandOutTwoNeighboursOfARowOrOfAColumn)
{
    EXPECT_EQ(ldmatrix_holder({0, 0}, false), (Holder{0, 0}));
    EXPECT_EQ(ldmatrix_holder({3, 5}, false), (Holder{14, 1}));
    EXPECT_EQ(ldmatrix_holder({3, 5}, true), (Holder{21, 1}));
    std::set<std::pair<uint32_t, uint32_t>> held;
    for (uint32_t row = 0; row < 8; ++row)
        for (uint32_t col = 0; col < 8; ++col)
            held.insert({ldmatrix_holder({row, col}, true).lane, ldmatrix_holder({row, col}, true).index});
    EXPECT_EQ(held.size(), 64u);
}

std::optional<Fragments> fragments(const Recording& r, std::size_t warp, std::size_t step)
{
    SharedContents contents(r, r.blocks[0]);
    const std::vector<Phase> all = phases(r, r.blocks[0].warps[warp]);
    return FragmentFinder(contents, r, r.blocks[0], warp, all).at(step);
}

std::size_t nth_shared_load(const recording::WarpTrace& warp, std::size_t n)
{
    for (std::size_t step = 0; step < warp.accesses.size(); ++step)
        if (warp.accesses[step].op == Op::shared_load && n-- == 0)
            return step;
    return 0;
}

std::vector<Cell> cells(uint32_t row, uint32_t col, uint32_t rows, uint32_t cols)
{
    std::vector<Cell> result;
    for (uint32_t i = 0; i < rows; ++i)
        for (uint32_t j = 0; j < cols; ++j)
            result.push_back({row + i, col + j});
    return result;
}

// A thread has 8 x 8 results, and 16 threads are side by side. It has four 16-byte loads per k.
TEST(Fragments, OfVectorizedAreAnOuterProduct)
{
    const Recording r = record("vectorized", {128, 128, 16});
    const recording::WarpTrace& warp = r.blocks[0].warps[1];
    const auto at = fragments(r, 1, nth_shared_load(warp, 8 * 4 + 3 * 4 + 1)); // k = 3 in k-tile 1
    ASSERT_TRUE(at);
    EXPECT_EQ(at->k, 11u);
    EXPECT_EQ(at->loads, 4u);
    EXPECT_EQ(at->bytes, 64u);
    EXPECT_EQ(at->lanes[17].a, cells(24, 11, 8, 1)); // warp 1: thread rows 2 and 3
    EXPECT_EQ(at->lanes[17].b, cells(11, 8, 1, 8));
    EXPECT_EQ(register_use(r, r.blocks[0], 1, at).results, 64u);
    EXPECT_EQ(register_use(r, r.blocks[0], 1, at).fragments, 16u);
    EXPECT_EQ(register_use(r, r.blocks[0], 1, at).registers, recording::Missing::recorded_on_cpu);
    EXPECT_FALSE(at->complete) << "two of its four loads are still to come";
    EXPECT_TRUE(fragments(r, 1, nth_shared_load(warp, 8 * 4 + 3 * 4 + 3))->complete);
    EXPECT_FALSE(fragments(r, 1, 0)->complete) << "A and B are still in global memory";
    EXPECT_EQ(fragments(r, 1, 0)->held_by(17), LaneFragment());
    EXPECT_EQ(at->held_by(17), (LaneFragment{cells(24, 11, 8, 1), {}})) << "two loads of A, none of B";
}

// A lane holds what it has loaded so far. In naive this is first only the element of A.
TEST(Fragments, AreHeldFromTheirLoadOn)
{
    const Recording r = record("naive", {32, 32, 4});
    EXPECT_EQ(fragments(r, 0, 0)->held_by(0), (LaneFragment{{{0, 0}}, {}}));
    EXPECT_EQ(fragments(r, 0, 0)->lanes[0], (LaneFragment{{{0, 0}}, {{0, 0}}}));
    EXPECT_EQ(fragments(r, 0, 1)->held_by(0), (LaneFragment{{{0, 0}}, {{0, 0}}}));
    EXPECT_EQ(fragments(r, 0, 2)->held_by(0), (LaneFragment{{{0, 1}}, {}}));
}

// Stores of C read no operands. The lane still has the last k, and not the first k of the k-tile.
TEST(Fragments, OfTheLastProductsWhileTheSumsAreStored)
{
    const Recording r = record("register_tile_2x2", {32, 32, 16});
    const recording::WarpTrace& warp = r.blocks[0].warps[0];
    ASSERT_EQ(warp.accesses.back().op, Op::global_store);
    for (const std::size_t before_end : {4, 1}) {
        const auto at = fragments(r, 0, warp.accesses.size() - before_end);
        ASSERT_TRUE(at);
        EXPECT_EQ(at->k, 15u);
        EXPECT_TRUE(at->complete);
        EXPECT_EQ(at->held_by(0).a, (std::vector<Cell>{{0, 15}, {16, 15}}));
    }
}

// 16 values of 4 bytes fit into 64 bytes of local memory. Registers are left.
TEST(Fragments, LieElsewhereWhereLocalMemoryHasRoomForThem)
{
    Recording r = record("swizzled_reads_indexed", {128, 128, 8});
    const std::size_t load = nth_shared_load(r.blocks[0].warps[0], 3);
    const auto at = fragments(r, 0, load);
    ASSERT_TRUE(at);
    EXPECT_FALSE(operands_elsewhere(r, at)) << "no driver was queried";
    r.resources = recording::Resources{193, 8192, 64, 1};
    EXPECT_TRUE(operands_elsewhere(r, at));
    EXPECT_TRUE(register_use(r, r.blocks[0], 0, at).elsewhere());
    r.resources->local_bytes_per_thread = 0;
    EXPECT_FALSE(operands_elsewhere(r, at));
}

// With 256 threads, 255 registers each fit into an SM's 65,536. With 1,024 threads, each has 64, and none is left.
TEST(Registers, AreLeftWhereTheBlockFitsWithMore)
{
    Recording r = record("vectorized", {128, 128, 16});
    r.resources = recording::Resources{193, 8192, 64, 1};
    EXPECT_TRUE(register_use(r, r.blocks[0], 0, {}).registers_left);
    EXPECT_EQ(register_use(r, r.blocks[0], 0, {}).local, 64u);
    r.resources->registers_per_thread = 255;
    EXPECT_FALSE(register_use(r, r.blocks[0], 0, {}).registers_left);
    r.resources->registers_per_thread = 64;
    r.launch.block = {1024, 1, 1};
    EXPECT_FALSE(register_use(r, r.blocks[0], 0, {}).registers_left);
}

// Fragments that are loaded ahead belong to the k for which they are used.
TEST(Fragments, OfPipelinesAndOfKernelsWithoutSharedMemory)
{
    const Recording ahead = record("fastest", {128, 256, 24});
    const auto second = fragments(ahead, 0, nth_shared_load(ahead.blocks[0].warps[0], 8 * 6));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->k, 8u); // the first k of the second tile
    EXPECT_EQ(second->lanes[0].a.size(), 16u);
    EXPECT_EQ(second->lanes[0].b.size(), 8u);
    const Recording plain = record("coalesced", {32, 32, 8});
    const auto pair = fragments(plain, 2, 11);
    ASSERT_TRUE(pair);
    EXPECT_EQ(pair->k, 5u);
    EXPECT_EQ(pair->lanes[7].a, cells(2, 5, 1, 1));
    EXPECT_EQ(pair->lanes[7].b, cells(5, 7, 1, 1));
    const Recording tensor = record("mma_ldmatrix", {128, 256, 32});
    EXPECT_FALSE(fragments(tensor, 0, nth_shared_load(tensor.blocks[0].warps[0], 0)));
}

TEST(Fragments, AreHeldByTheirLaneUntilTheyAreShuffled)
{
    const Recording r = record("warp_shuffle", {16, 128, 16});
    const recording::WarpTrace& warp = r.blocks[0].warps[0];
    const std::vector<Phase> all = phases(r, warp);
    EXPECT_FALSE(fragments(r, 0, 20));
    // Lane 11 is in row 1 and column 3. It holds column 3 of A in rows 1, 5, 9, 13, and for each k column 11 of B.
    const auto held = held_for_shuffles(r, warp, all, all[1].first);
    EXPECT_EQ(held[11].a, (std::vector<Cell>{{1, 3}, {5, 3}, {9, 3}, {13, 3}}));
    EXPECT_EQ(held[11].b, cells(0, 11, 8, 1));
    const auto second = held_for_shuffles(r, warp, all, all[3].first);
    EXPECT_EQ(second[11].a.front(), (Cell{1, 11}));
    const ShuffleFacts facts = shuffle_facts(warp.accesses[all[1].first]); // passes A at k = 0
    EXPECT_EQ(facts.sources, (std::vector<uint32_t>{0, 8, 16, 24}));
    EXPECT_EQ(facts.most_asked, 8u);
    EXPECT_EQ(facts.from_itself, 4u);
    EXPECT_EQ(facts.lanes, 32u);
}

// Lines without use are omitted, and no run extends over them.
TEST(Fragments, UseLinesInRunsWithoutGaps)
{
    Fragments fragments;
    fragments.lanes[0] = {{{4, 0}, {5, 0}, {9, 0}}, {{0, 7}}};
    fragments.lanes[3] = {{{6, 0}, {8, 0}}, {{0, 7}, {0, 2}}};
    const UsedLines rows(fragments, true), cols(fragments, false);
    ASSERT_EQ(rows.count(), 5u); // 4, 5, 6, 8, 9
    EXPECT_EQ(rows[3], 8u);
    using Runs = std::vector<std::pair<uint32_t, uint32_t>>;
    EXPECT_EQ(rows.runs(fragments.lanes[0]), (Runs{{0, 2}, {4, 1}}));
    EXPECT_EQ(rows.runs(fragments.lanes[3]), (Runs{{2, 1}, {3, 1}})) << "row 7 lies between, though no lane uses it";
    EXPECT_EQ(cols.places(fragments.lanes[3]), (std::set<uint32_t>{0, 1}));
}

TEST(RegisterSteps, AreToldApartByTheirOperation)
{
    EXPECT_EQ(register_step({.op = Op::shuffle}), RegisterStep::shuffle);
    EXPECT_EQ(register_step({.op = Op::matrix_multiply}), RegisterStep::product);
    EXPECT_EQ(register_step({.op = Op::matrix_multiply, .array = 3}), RegisterStep::group_product);
    EXPECT_EQ(register_step({.op = Op::shared_load}), RegisterStep::fragments);
    EXPECT_TRUE(is_wmma({{{.op = Op::tile_load}}}));
    EXPECT_FALSE(is_wmma({{{.op = Op::matrix_multiply}}}));
}

// In all shuffles of a warp, a lane gets each element of its rows of A and of its columns of B once.
TEST(Shuffles, PassEachElementThatALaneMultipliesOnce)
{
    const Recording recording = record("warp_shuffle", {.M = 16, .N = 128, .K = 16});
    const recording::BlockTrace& block = recording.blocks.front();
    for (const uint32_t warp : {0u, 3u}) {
        std::array<std::map<std::pair<uint8_t, Cell>, int>, 32> got;
        const auto& accesses = block.warps[warp].accesses;
        for (std::size_t step = 0; step < accesses.size(); ++step) {
            if (accesses[step].op != Op::shuffle)
                continue;
            const PassedValues passed = passed_by_shuffle(recording, block, warp, step);
            for (uint32_t lane = 0; lane < 32; ++lane) {
                ASSERT_TRUE(passed[lane]) << "step " << step << ", lane " << lane;
                ++got[lane][{passed[lane]->array, passed[lane]->cell}];
            }
        }
        for (const OwnedCell& owned : cells_of_block(recording, 0)) {
            if (owned.thread / 32 != warp)
                continue;
            for (uint32_t k = 0; k < recording.problem.K; ++k) {
                const Cell a{owned.cell.row, k}, b{k, owned.cell.col};
                EXPECT_EQ((got[owned.thread % 32][{array_A, a}]), 1);
                EXPECT_EQ((got[owned.thread % 32][{array_B, b}]), 1);
            }
        }
    }
    EXPECT_EQ(lane_square(recording, block, 0, 0)->lanes, (std::array<uint32_t, 4>{0, 1, 8, 9}));
    EXPECT_EQ(lane_square(recording, block, 0, 31)->corner, (Cell{2, 6}))
        << "the square with the first result of the lane";
}

// A sum over a warp passes partial sums, which are not elements of A or B.
TEST(Shuffles, OfOtherValuesPassNoElement)
{
    Recording recording = record("warp_shuffle", {.M = 16, .N = 128, .K = 8});
    auto& accesses = recording.blocks.front().warps[0].accesses;
    const auto shuffle = std::ranges::find(accesses, Op::shuffle, &recording::Access::op);
    for (uint32_t lane = 0; lane < 32; ++lane)
        shuffle->offset[lane] = lane ^ 17u;
    const PassedValues passed =
        passed_by_shuffle(recording, recording.blocks.front(), 0, static_cast<std::size_t>(shuffle - accesses.begin()));
    EXPECT_TRUE(std::ranges::none_of(passed, [](const auto& one) { return one.has_value(); }));
}

// A warp of warp_tile computes four subtiles. Each load of B makes another one ready.
TEST(Subtiles, BecomeReadyInTheOrderOfTheirNumbers)
{
    const Recording recording = record("warp_tile", {.M = 128, .N = 128, .K = 16});
    const recording::BlockTrace& block = recording.blocks.front();
    const auto contents = std::make_shared<SharedContents>(recording, block);
    const std::vector<Phase> all = phases(recording, block.warps[0]);
    const auto compute = std::ranges::find(all, PhaseKind::compute, &Phase::kind);
    std::vector<std::size_t> ready;
    for (std::size_t step = compute->first; step < compute->first + 6; ++step) { // two loads of A, then four of B
        const auto subtiles = subtiles_of(*held_fragments(recording, contents, block, 0, step).fragments);
        ASSERT_EQ(subtiles.size(), 4u);
        for (uint32_t i = 0; i < 4; ++i)
            EXPECT_EQ(subtiles[i].cells, (CellRect{0, 16 * i, 64, 16}));
        ready.push_back(static_cast<std::size_t>(std::ranges::count(subtiles, true, &Subtile::ready)));
        EXPECT_TRUE(std::ranges::is_sorted(subtiles, std::ranges::greater{}, &Subtile::ready));
    }
    EXPECT_EQ(ready, (std::vector<std::size_t>{0, 0, 1, 2, 3, 4}));
}

} // namespace
