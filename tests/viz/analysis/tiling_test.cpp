#include "tests/viz/analysis/recordings.h"

#include "viz/analysis/occupancy.h"
#include "viz/analysis/owner_map.h"
#include "viz/analysis/tiling.h"
#include "viz/text/figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

namespace {

using recording::Op;
using recording::Space;
using namespace viz;

// C 4 x 4 = A 4 x 2 * B 2 x 4 by one warp of 16 threads. Each loads one element of A (lanes 0-7) and of B into shared
// tiles. The tile of A is transposed. Each then reads both along k and writes its element of C.
recording::Recording small_gemm()
{
    recording::Recording r;
    r.problem = {4, 4, 2, 1.0f, 0.0f};
    r.launch = {{1, 1, 1}, {16, 1, 1}};
    r.arrays = {array_of("A", Space::global, 4, 2), array_of("B", Space::global, 2, 4),
                array_of("C", Space::global, 4, 4), array_of("As", Space::shared, 2, 4),
                array_of("Bs", Space::shared, 2, 4)};
    const uint32_t eight = 0xff, all = 0xffff;
    std::vector<recording::Access> steps;
    steps.push_back(access_of(
        Op::global_load, 0, 4, 10, [](uint32_t lane) { return lane * 4; }, eight & ~0x80u));
    steps.push_back(access_of(
        Op::shared_store, 3, 4, 11, [](uint32_t lane) { return (lane % 2 * 4 + lane / 2) * 4; }, eight));
    steps.push_back(access_of(
        Op::global_load, 1, 4, 12, [](uint32_t lane) { return lane * 4; }, eight));
    steps.push_back(access_of(
        Op::shared_store, 4, 4, 13, [](uint32_t lane) { return lane * 4; }, eight));
    steps.push_back(barrier_at(14));
    for (uint32_t k = 0; k < 2; ++k) {
        steps.push_back(access_of(
            Op::shared_load, 3, 4, 16, [k](uint32_t lane) { return (k * 4 + lane / 4) * 4; }, all));
        steps.push_back(access_of(
            Op::shared_load, 4, 4, 17, [k](uint32_t lane) { return (k * 4 + lane % 4) * 4; }, all));
    }
    steps.push_back(barrier_at(18));
    steps.push_back(access_of(
        Op::global_store, 2, 4, 20, [](uint32_t lane) { return lane * 4; }, all));
    r.blocks.push_back({{0, 0, 0}, {{steps}}});
    for (uint32_t i = 0; i < 16; ++i)
        r.owner.push_back(i);
    return r;
}

TEST(Phases, LoadBarrierComputeBarrierStore)
{
    const recording::Recording r = small_gemm();
    const std::vector<Phase> all = phases(r, r.blocks[0].warps[0]);
    ASSERT_EQ(all.size(), 5u);
    const PhaseKind kinds[] = {PhaseKind::load, PhaseKind::barrier, PhaseKind::compute, PhaseKind::barrier,
                               PhaseKind::store};
    const std::size_t first[] = {0, 4, 5, 9, 10}, count[] = {4, 1, 4, 1, 1};
    const int tile[] = {0, 0, 0, 0, 1}; // a barrier after arithmetic ends the k-tile
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(all[i].kind, kinds[i]) << i;
        EXPECT_EQ(all[i].first, first[i]) << i;
        EXPECT_EQ(all[i].count, count[i]) << i;
        EXPECT_EQ(all[i].k_tile, tile[i]) << i;
    }
    EXPECT_EQ(&phase_at(all, 8), &all[2]);
    EXPECT_EQ(&phase_at(all, 9), &all[3]);
    EXPECT_EQ(k_tiles_of(all), 1);
    EXPECT_EQ(compute_phase_of(all, 3), 2u);
    EXPECT_TRUE(phases(r, {}).empty());
    EXPECT_EQ(phases(r, {{barrier_at(1), barrier_at(2)}}).size(), 2u);
}

TEST(Phases, WithoutSharedMemoryTheLoopComputes)
{
    const auto a = access_of(Op::global_load, 0, 4, 5, [](uint32_t) { return 0; });
    const auto b = access_of(Op::global_load, 1, 4, 6, [](uint32_t) { return 0; });
    const auto c = access_of(Op::global_load, 2, 4, 8, [](uint32_t) { return 0; });
    const auto store = access_of(Op::global_store, 2, 4, 9, [](uint32_t) { return 0; });
    const auto loop = phases({}, {{a, b, a, b, c, store}});
    ASSERT_EQ(loop.size(), 2u);
    EXPECT_EQ(loop[0].kind, PhaseKind::compute);
    EXPECT_EQ(loop[0].count, 4u);
    EXPECT_EQ(loop[1].kind, PhaseKind::store);
    EXPECT_EQ(loop[1].count, 2u);
    const auto once = phases({}, {{a, b, store}});
    ASSERT_EQ(once.size(), 2u);
    EXPECT_EQ(once[0].kind, PhaseKind::load);
}

// Shared loads are arithmetic only in a kernel that multiplies. A transpose reads what it has stored.
TEST(Phases, AreArithmeticWhereTheRecordingSaysSo)
{
    recording::Recording r = small_gemm();
    const recording::WarpTrace& warp = r.blocks[0].warps[0];
    EXPECT_TRUE(computes(r, warp)) << "a rung";
    r.executed = recording::InstructionTrace{.kernel = "transpose", .language = "PTX"};
    EXPECT_FALSE(computes(r, warp));
    r.executed->multiplies = true;
    EXPECT_TRUE(computes(r, warp));
    r.executed->multiplies = false;
    EXPECT_TRUE(computes(r, {{{.op = Op::matrix_multiply, .line = 1, .mask = ~0u}}}));
}

TEST(Touched, CountsEachElementAndEachLane)
{
    const recording::Recording r = small_gemm();
    const PhaseTouch load = touched_in(r, 0);
    EXPECT_EQ(load.arrays[0].cells_read, 7u); // a bounds check disables lane 7
    EXPECT_EQ(load.arrays[1].read, (std::vector<CellRect>{{0, 0, 2, 4}}));
    EXPECT_EQ(load.global_bytes_loaded, (7u + 8u) * 4);
    EXPECT_EQ(load.arrays[3].cells_written, 8u);
    const PhaseTouch compute = touched_in(r, 2);
    EXPECT_EQ(compute.arrays[3].reads, 32u);
    EXPECT_EQ(compute.arrays[3].cells_read, 8u); // the four threads of a row read each value of A
    EXPECT_EQ(compute.global_bytes_loaded, 0u);
    EXPECT_EQ(touched_in(r, 4).arrays[2].writes, 16u);
    EXPECT_EQ(touched_in(r, 9).arrays[2].writes, 0u);
}

TEST(SharedContents, FollowsValuesFromGlobalToShared)
{
    const recording::Recording r = small_gemm();
    SharedContents contents(r, r.blocks[0]);
    contents.advance_to(0);
    EXPECT_EQ(contents.at(3, {0, 0}).kind, Origin::Kind::unknown);
    contents.advance_to(5);
    // Lane 5 loaded A(2, 1) and stored it at As(1, 2).
    EXPECT_EQ(contents.at(3, {1, 2}), (Origin{Origin::Kind::element, 0, {2, 1}, 1}));
    EXPECT_EQ(contents.at(3, {1, 3}).kind, Origin::Kind::outside); // lane 7
    EXPECT_EQ(contents.at(4, {1, 3}), (Origin{Origin::Kind::element, 1, {1, 3}, 3}));
    contents.advance_to(2);
    EXPECT_EQ(contents.at(4, {1, 3}).kind, Origin::Kind::unknown); // back to an earlier time
    EXPECT_EQ(contents.at(3, {1, 2}).kind, Origin::Kind::element);
    EXPECT_EQ(contents.at(0, {0, 0}).kind, Origin::Kind::unknown); // is not a tile
}

TEST(SharedContents, SixteenByteLoadFeedsFourStores)
{
    recording::Recording r;
    r.arrays = {array_of("A", Space::global, 32, 4), array_of("B", Space::global, 1, 1),
                array_of("C", Space::global, 1, 1), array_of("As", Space::shared, 4, 32)};
    std::vector<recording::Access> steps{access_of(Op::global_load, 0, 16, 1, [](uint32_t lane) { return lane * 16; })};
    for (uint32_t k = 0; k < 4; ++k)
        steps.push_back(access_of(Op::shared_store, 3, 4, 2 + k, [k](uint32_t lane) { return (k * 32 + lane) * 4; }));
    r.blocks.push_back({{0, 0, 0}, {{steps}}});
    SharedContents contents(r, r.blocks[0]);
    contents.advance_to(4);
    for (uint32_t k = 0; k < 4; ++k)
        EXPECT_EQ(contents.at(3, {k, 9}), (Origin{Origin::Kind::element, 0, {9, k}, k + 1}));
}

TEST(Highlight, SharedAccessLightsItsElementsInAAndB)
{
    const auto r = std::make_shared<recording::Recording>(small_gemm());
    BlockTiling tiling(r, r->blocks[0]);
    tiling.contents().advance_to(7);
    const Highlight highlight = highlight_of(tiling, 0, 7, 6); // As(1, lane / 4)
    EXPECT_EQ(highlight.lane[3], (std::vector<Cell>{{1, 1}}));
    EXPECT_EQ(highlight.lane[0], (std::vector<Cell>{{1, 1}})); // As(k, row) holds A(row, k)
    EXPECT_EQ(highlight.all[3].size(), 16u);
    EXPECT_EQ(highlight.all[0].size(), 12u); // the row whose value is outside highlights nothing in A
    EXPECT_TRUE(tiling.uses_shared());
    EXPECT_EQ(tiling.tile(), (std::vector<CellRect>{{0, 0, 4, 4}}));
    EXPECT_EQ(tiling.bands()[1].bounds, (CellRect{0, 0, 2, 4}));
    EXPECT_EQ(tiling.bands()[0].reads, 7u);
}

TEST(Cover, IsExactAndDisjoint)
{
    const std::vector<Cell> cells{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 1}, {2, 1}, {2, 3}};
    std::vector<CellRect> rects = cover(cells);
    EXPECT_EQ(rects.size(), 3u);
    uint32_t area = 0;
    for (const CellRect& rect : rects)
        area += rect.rows * rect.cols;
    EXPECT_EQ(area, 6u); // the cell that occurs twice counts once
    EXPECT_NE(std::find(rects.begin(), rects.end(), CellRect{0, 0, 2, 2}), rects.end());
    EXPECT_TRUE(cover({}).empty());
    EXPECT_EQ(cover({{0, 5}, {2, 5}}).size(), 2u); // there is a row between them
    EXPECT_EQ(bounds(cells), (CellRect{0, 0, 3, 4}));
    EXPECT_EQ(bounds({}), std::nullopt);
}

// Two blocks of 8 x 8 threads, along x, for a C of 8 x 16.
recording::Recording two_blocks()
{
    recording::Recording r;
    r.problem = {8, 16, 1, 1.0f, 0.0f};
    r.launch = {{2, 1, 1}, {8, 8, 1}};
    for (uint32_t row = 0; row < 8; ++row)
        for (uint32_t col = 0; col < 16; ++col)
            r.owner.push_back(col / 8 * 64 + row * 8 + col % 8);
    return r;
}

TEST(Ownership, IndicesOfAnOwner)
{
    recording::Recording r = two_blocks();
    const auto owner = owner_of(r, 5, 11);
    ASSERT_TRUE(owner);
    EXPECT_EQ(owner->block, 1u);
    EXPECT_EQ(owner->thread_index, (recording::Index3{3, 5, 0}));
    EXPECT_EQ(owner->warp, 1u); // thread 43
    EXPECT_EQ(owner->lane, 11u);
    EXPECT_EQ(owner->sm, std::nullopt);
    EXPECT_EQ(describe(*owner, r), "block (1,0), thread (3,5), warp 1, lane 11");
    r.placements = {{7, 0, 0}, {9, 0, 0}};
    EXPECT_EQ(describe(*owner_of(r, 5, 11), r), "block (1,0), thread (3,5), warp 1, lane 11, SM 9");
    r.owner[0] = recording::no_owner;
    EXPECT_EQ(owner_of(r, 0, 0), std::nullopt);
    EXPECT_EQ(owner_of(r, 8, 0), std::nullopt);
    EXPECT_EQ(cells_of_block(r, 0).size(), 63u);
    EXPECT_EQ(cells_of_block(r, 1).front().cell, (Cell{0, 8}));
}

TEST(OwnerMap, ColoursAndEdges)
{
    recording::Recording r = two_blocks();
    const OwnerMap blocks = owner_map(r, ColourBy::block);
    EXPECT_EQ(blocks.cells[0], 0 | MapCell::edge_left | MapCell::edge_top);
    EXPECT_EQ(blocks.cells[17], 0);
    EXPECT_EQ(blocks.cells[16 + 8], 1 | MapCell::edge_left);
    const OwnerMap lanes = owner_map(r, ColourBy::lane);
    EXPECT_EQ(lanes.cells[5 * 16 + 11] & MapCell::palette_bits, 11);
    EXPECT_EQ(owner_map(r, ColourBy::warp).cells[5 * 16 + 11] & MapCell::palette_bits, 1);
    EXPECT_EQ(owner_map(r, ColourBy::sm).cells[3] & MapCell::palette_bits, MapCell::nobody); // SM not known
    for (const ColourBy by : {ColourBy::block, ColourBy::warp, ColourBy::lane})
        for (const uint32_t col : {0u, 7u, 8u, 15u})
            EXPECT_EQ(owner_map(r, by).cells[3 * 16 + col] & MapCell::palette_bits,
                      palette_index(r, by, *owner_of(r, 3, col)));
    r.owner[20] = recording::no_owner;
    EXPECT_EQ(owner_map(r, ColourBy::warp).cells[20] & MapCell::palette_bits, MapCell::nobody);
}

TEST(OwnerMap, ValuesAfterTheLaunchHaveTheirPlaceBetweenTheLeastAndTheLargest)
{
    recording::Recording r;
    r.problem = {1, 4, 1, 1.0f, 0.0f};
    r.launch = {{1, 1, 1}, {4, 1, 1}};
    r.owner = {0, 1, 2, recording::no_owner};
    r.arrays.resize(3);
    r.arrays[2] = {.name = "out", .rows = 1, .cols = 4, .element_bytes = 1, .bytes = 4};
    EXPECT_FALSE(viz::value_range(r));
    r.executed = recording::InstructionTrace{
        .values = {{.array = 2, .type = "unsigned char", .before = {7, 7, 7, 7}, .after = {10, 110, 60, 7}}}};
    const OwnerMap map = owner_map(r, ColourBy::value);
    const auto colour = [&](std::size_t i) { return map.cells[i] & MapCell::palette_bits; };
    EXPECT_EQ(viz::value_range(r)->most, 110);
    EXPECT_EQ(colour(1), MapCell::nobody - 1);
    EXPECT_GT(colour(2), colour(0));
    EXPECT_EQ(colour(3), 0) << "written by no thread, and its value is known";
}

TEST(OwnerMap, FewBlocksHaveColoursOfTheirOwn)
{
    recording::Recording r;
    r.problem = {3, 2, 1, 1.0f, 0.0f};
    r.launch = {{2, 3, 1}, {1, 1, 1}};
    r.owner = {0, 1, 2, 3, 4, 5};
    std::set<int> colours;
    for (const auto cell : owner_map(r, ColourBy::block).cells)
        colours.insert(cell & MapCell::palette_bits);
    EXPECT_EQ(colours.size(), 6u);
}

// Two blocks of 2 x 3 cells, side by side. In each block, one warp has the upper row and another one the lower row.
TEST(OwnerMap, RegionsAreRectanglesOfOneOwner)
{
    recording::Recording r;
    r.problem = {2, 6, 1, 1.0f, 0.0f};
    r.launch = {{2, 1, 1}, {64, 1, 1}};
    r.owner = {0, 0, 1, 64, 65, 66, 32, 33, 34, 96, 97, recording::no_owner};
    using Rects = std::vector<CellRect>;
    EXPECT_EQ(owner_regions(r, ColourBy::block), (Rects{{0, 0, 2, 3}, {0, 3, 1, 3}, {1, 3, 1, 2}}));
    EXPECT_EQ(owner_regions(r, ColourBy::warp), (Rects{{0, 0, 1, 3}, {0, 3, 1, 3}, {1, 0, 1, 3}, {1, 3, 1, 2}}));
    EXPECT_EQ(owner_regions(r, ColourBy::lane), (Rects{{0, 0, 1, 2}})) << "one thread with two elements";
}

TEST(OwnerMap, PyramidAveragesTheCellsItCovers)
{
    // A map of 3 x 3 with one white cell and eight black ones.
    std::vector<Colour> palette(64, 0xff000000u);
    palette[1] = 0xffffffffu;
    OwnerMap map{3, 3, {0, 0, 0, 0, 0, 0, 0, 0, 1}};
    const std::vector<Level> levels = pyramid(map, palette);
    ASSERT_EQ(levels.size(), 2u);
    EXPECT_EQ(levels[0].rows, 2u);
    EXPECT_EQ(levels[0].pixels, (std::vector<Colour>{0xff000000u, 0xff000000u, 0xff000000u, 0xffffffffu}));
    EXPECT_EQ(levels[1].pixels, (std::vector<Colour>{0xff1c1c1cu})); // 255 / 9 and not 255 / 4
}

TEST(MapShape, AVectorIsWrapped)
{
    recording::Recording r;
    r.problem = {1, 1000, 1, 1.0f, 0.0f};
    r.launch = {{8, 1, 1}, {128, 1, 1}};
    r.owner.assign(1000, 0);
    const MapShape shape = map_shape(r);
    EXPECT_TRUE(shape.wrapped);
    EXPECT_EQ(shape.cols, 32u);
    EXPECT_EQ(shape.rows, 32u);
    EXPECT_EQ(map_place(shape, {0, 70}), (Cell{2, 6}));
    EXPECT_EQ(map_element(shape, {2, 6}), (Cell{0, 70}));
    EXPECT_EQ(map_element(shape, {31, 8}), std::nullopt); // element 1000
    EXPECT_FALSE(map_shape(two_blocks()).wrapped);
}

TEST(Figures, MissingOnesSayWhy)
{
    recording::Recording r = two_blocks();
    r.device.backend = "cpu";
    EXPECT_EQ(occupancy(r), recording::Missing::recorded_on_cpu);
    EXPECT_EQ(registers(r), recording::Missing::recorded_on_cpu);
    r.resources = recording::Resources{37, 8192, 0, 4};
    EXPECT_EQ(occupancy(r), recording::Missing::not_recorded); // the SM's size is not known
    r.device.max_threads_per_sm = 2048;
    EXPECT_DOUBLE_EQ(*occupancy(r), 4 * 2 / 64.0); // 4 blocks of 2 warps, of 64 warps
    EXPECT_EQ(*registers(r), 37);
    EXPECT_EQ(change_words(13312.0 / 22016 - 1), "-40%");
    EXPECT_EQ(change_words(107.0 / 105 - 1), "+1.9%");
    EXPECT_EQ(change_words(0), "the same");
    EXPECT_EQ(thousands(uint64_t{1234567}), "1,234,567");
    EXPECT_EQ(thousands(uint64_t{100}), "100");
    EXPECT_EQ(thousands(49.94), "49.9");
    EXPECT_EQ(time_words(0), "0 ns");
    EXPECT_EQ(time_words(0.031), "0.03 ns");
    EXPECT_EQ(time_words(2.31), "2.3 ns");
    EXPECT_EQ(time_words(690), "690 ns");
    EXPECT_EQ(time_words(999.6), "1 µs");
    EXPECT_EQ(time_words(31234), "31.2 µs");
    EXPECT_EQ(time_words(999600), "1 ms");
    EXPECT_EQ(time_words(275.88e6), "276 ms");
    EXPECT_EQ(time_words(1234e6), "1.23 s");
    EXPECT_EQ(time_words(1234e9), "1,234 s");
    EXPECT_EQ(counted(1, "lane"), "1 lane");
    EXPECT_EQ(counted(2000, "warp"), "2,000 warps");
    r.sources[0].text = "one\n    two();\r\n\nfour";
    EXPECT_EQ(source_line(r, 2), "two();");
    EXPECT_EQ(source_line(r, 3), "");
    EXPECT_EQ(source_line(r, 4), "four");
    EXPECT_EQ(source_line(r, 5), "");
}

TEST(OwnerMap, MarksWhatAThreadItsWarpAndItsBlockOwn)
{
    recording::Recording r = small_gemm();
    r.launch.block = {40, 1, 1};
    r.owner[15] = 33; // thread 33 is in the second warp
    const OwnedCells owned = owned_by_block(r, 0);
    const MapMarks marks = map_marks(r, owned, 5);
    EXPECT_EQ(marks.block, (std::vector<CellRect>{{0, 0, 4, 4}}));
    EXPECT_EQ(marks.thread, (std::vector<CellRect>{{1, 1, 1, 1}}));
    EXPECT_EQ(marks.warp, (std::vector<CellRect>{{0, 0, 3, 4}, {3, 0, 1, 3}}));
    EXPECT_EQ(map_marks(r, owned, 33).warp, (std::vector<CellRect>{{3, 3, 1, 1}}));
    EXPECT_EQ(threads_without_element(r), 24u) << "16 of 40 own one";
}

} // namespace
