// The plan of a launch: numbers, warps, surplus threads, and typed launches.
#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"

#include "viz/analysis/hierarchy.h"

#include <gtest/gtest.h>

namespace {

using recording::Index3;
using recording::Launch;
using viz::Wrapping;

Launch launch_of(Index3 grid, Index3 block)
{
    return {grid, block};
}

TEST(Hierarchy, EveryThreadHasItsOwnPlaceAndIsFoundThere)
{
    const Launch launches[] = {launch_of({8, 1, 1}, {128, 1, 1}), launch_of({2, 3, 1}, {2, 2, 1}),
                               launch_of({3, 2, 2}, {5, 3, 4}), launch_of({7, 1, 1}, {100, 1, 1}),
                               launch_of({1, 1, 5}, {64, 1, 1})};
    for (const Launch& launch : launches)
        for (const bool swapped : {false, true}) {
            const viz::Plan plan = viz::plan_of(launch, swapped, Wrapping::when_one_row);
            for (uint64_t block = 0; block < launch.grid.volume(); ++block)
                for (uint32_t thread = 0; thread < launch.threads_per_block(); ++thread) {
                    const viz::PlanPoint corner = viz::corner_of(plan, block);
                    const viz::Cell cell = viz::cell_of_thread(plan, thread);
                    EXPECT_EQ(viz::thread_at(plan, cell), thread);
                    EXPECT_EQ(viz::block_at(plan, static_cast<int64_t>(corner.y) / (plan.rows + plan.gap),
                                            static_cast<int64_t>(corner.x) / (plan.cols + plan.gap)),
                              block);
                    const viz::PlanPoint size = viz::size_of(plan);
                    EXPECT_LE(corner.x + cell.col + 1, size.x);
                    EXPECT_LE(corner.y + cell.row + 1, size.y);
                }
        }
}

// Positions between slices along z and outside of the plan have no thread and no block.
TEST(Hierarchy, PlacesWithoutAThreadOrABlockAreNone)
{
    const viz::Plan plan = viz::plan_of(launch_of({2, 2, 2}, {4, 3, 2}), false, Wrapping::when_one_row);
    EXPECT_EQ(plan.gap, 1u);
    EXPECT_TRUE(viz::thread_at(plan, {2, 3}).has_value());
    EXPECT_FALSE(viz::thread_at(plan, {3, 3}).has_value());
    EXPECT_FALSE(viz::thread_at(plan, {2, 4}).has_value());
    EXPECT_TRUE(viz::block_at(plan, 1, 1).has_value());
    EXPECT_FALSE(viz::block_at(plan, 1, 2).has_value());
    EXPECT_FALSE(viz::block_at(plan, -1, 1).has_value());
    EXPECT_FALSE(viz::block_at(plan, 1, 5).has_value());
}

TEST(Hierarchy, WarpsAreRowsOfAWrappedBlockAndTheLastMayBeShort)
{
    const viz::Plan plan = viz::plan_of(launch_of({4, 1, 1}, {100, 1, 1}), false, Wrapping::when_one_row);
    EXPECT_EQ(viz::rects_of_warp(plan, 1), (std::vector<viz::CellRect>{{1, 0, 1, 32}}));
    EXPECT_EQ(viz::rects_of_warp(plan, 3), (std::vector<viz::CellRect>{{3, 0, 1, 4}}));
    const viz::Plan square = viz::plan_of(launch_of({1, 1, 1}, {16, 16, 1}), false, Wrapping::when_one_row);
    EXPECT_EQ(viz::rects_of_warp(square, 1), (std::vector<viz::CellRect>{{2, 0, 2, 16}}));
    const viz::Plan turned = viz::plan_of(launch_of({1, 1, 1}, {16, 16, 1}), true, Wrapping::when_one_row);
    EXPECT_EQ(viz::rects_of_warp(turned, 1), (std::vector<viz::CellRect>{{0, 2, 16, 2}}));
}

TEST(Hierarchy, CountsTheSurplusThreads)
{
    recording::Recording recording;
    recording.problem = {.M = 1, .N = 1000, .K = 1};
    recording.launch = launch_of({8, 1, 1}, {128, 1, 1});
    for (uint32_t i = 0; i < 1000; ++i)
        recording.owner.push_back(i);
    const viz::IdleThreads idle = viz::idle_threads(recording);
    EXPECT_EQ(idle.total, 24u);
    EXPECT_EQ(idle.of(6), nullptr);
    ASSERT_NE(idle.of(7), nullptr);
    EXPECT_EQ(idle.of(7)->count, 24u);
    EXPECT_FALSE(idle.of(7)->idle[103]);
    EXPECT_TRUE(idle.of(7)->idle[104]);
}

TEST(Hierarchy, CountsTheSurplusThreadsOfALargeGridByWhatIsOwned)
{
    recording::Recording recording;
    recording.problem = {.M = 1, .N = 1000, .K = 1};
    recording.launch = launch_of({4'000'000, 1, 1}, {1024, 1, 1}); // slightly less than 2^32 threads
    for (uint32_t i = 0; i < 1000; ++i)
        recording.owner.push_back(1024 + i);
    const viz::IdleThreads idle = viz::idle_threads(recording);
    EXPECT_EQ(idle.total, 4'000'000ull * 1024 - 1000);
    EXPECT_EQ(idle.of(0)->count, 1024u);
    EXPECT_EQ(idle.of(1)->count, 24u);
    EXPECT_EQ(idle.of(3'999'999)->count, 1024u);
}

TEST(Hierarchy, ReadsTypedLaunches)
{
    const viz::TypedLaunch typed = viz::typed_launch("8, 4 x 2", "3");
    ASSERT_TRUE(typed.launch.has_value());
    EXPECT_EQ(typed.launch->block, (Index3{8, 4, 2}));
    EXPECT_EQ(typed.launch->grid, (Index3{3, 1, 1}));
    EXPECT_EQ(viz::typed_text(typed.launch->block), "8x4x2");
    for (const char* wrong : {"", "0", "16x0", "a", "1x2x3x4", "-4", "16x", "99999999999"}) {
        if (std::string_view(wrong) == "16x") // the user is still typing a number
            EXPECT_TRUE(viz::typed_launch(wrong, "1").launch.has_value());
        else
            EXPECT_FALSE(viz::typed_launch(wrong, "1").launch.has_value()) << wrong;
    }
    EXPECT_TRUE(viz::plain(viz::typed_launch("64x32", "1").refusal.value()).starts_with("2,048 threads"));
    EXPECT_FALSE(viz::typed_launch("1x1x65", "1").launch.has_value());
    EXPECT_FALSE(viz::typed_launch("32", "1x65536").launch.has_value());
}

TEST(Hierarchy, SwappingXAndYCostsSectors)
{
    const Launch launch = launch_of({4, 4, 1}, {32, 32, 1});
    const viz::Covered straight = viz::covered_by(launch, 6, 37, false), crossed = viz::covered_by(launch, 6, 37, true);
    EXPECT_EQ(straight.row, 33u); // block (2,1), thread (5,1)
    EXPECT_EQ(straight.col, 69u);
    EXPECT_EQ(crossed.row, 69u);
    EXPECT_EQ(crossed.col, 33u);
    EXPECT_EQ(viz::sectors_of_warp(launch, 6, 1, false), 4);
    EXPECT_EQ(viz::sectors_of_warp(launch, 6, 1, true), 32);
    EXPECT_EQ(viz::sectors_of_warp(launch_of({4, 4, 1}, {16, 16, 1}), 0, 0, false), 4); // two rows of 64 bytes
    EXPECT_EQ(viz::sectors_of_warp(launch_of({1, 1, 1}, {4, 1, 1}), 0, 0, false), 1);   // 28 lanes do not exist
}

// In naive, x runs down C. In coalesced and shared_tile, a block of 1,024 threads in one row computes a square of C, so
// the usual mapping does not hold.
TEST(Hierarchy, KnowsWhetherTheUsualMappingIsTheKernels)
{
    const auto usual = [](const char* slug, const recording::Problem& problem) {
        return viz::usual_mapping(test::record(slug, problem));
    };
    EXPECT_EQ(usual("vector_add", {.N = 1000}), std::optional(false));
    EXPECT_EQ(usual("thread_coords", {.M = 6, .N = 4}), std::optional(false));
    EXPECT_EQ(usual("strided_b", {40, 50, 8}), std::optional(false));
    EXPECT_EQ(usual("naive", {40, 50, 8}), std::optional(true));
    for (const char* slug : {"coalesced", "shared_tile"})
        EXPECT_EQ(usual(slug, {64, 64, 8}), std::nullopt) << slug;
    recording::Recording unknown = test::record("naive", {40, 50, 8});
    unknown.owner.clear();
    EXPECT_EQ(viz::usual_mapping(unknown), std::nullopt);
    EXPECT_TRUE(viz::counts_rows_by_x(test::record("naive", {200, 150, 8}))) << "more elements than are looked at";
    for (const char* slug : {"strided_b", "coalesced", "shared_tile"})
        EXPECT_FALSE(viz::counts_rows_by_x(test::record(slug, {64, 64, 8}))) << slug;
    EXPECT_FALSE(viz::counts_rows_by_x(unknown));
}

TEST(Hierarchy, WritesTheArithmetic)
{
    EXPECT_EQ(viz::linear_text({5, 2, 0}, {16, 16, 1}), "5 + 2 x 16 = 37");
    EXPECT_EQ(viz::linear_text({1, 2, 3}, {4, 5, 6}), "1 + 2 x 4 + 3 x 20 = 69");
    EXPECT_EQ(viz::linear_text({7, 0, 0}, {8, 1, 1}), "7");
    EXPECT_EQ(viz::index_text({7, 0, 0}, {8, 1, 1}), "(7,0)");
}

// Arrays after the third are only read. If the kernel uses atomics, threads without elements may have added to C.
TEST(Hierarchy, KnowsWhoStoresNothingInAKernelThatMultipliesNothing)
{
    recording::Recording r;
    r.launch = {{1, 1, 1}, {64, 1, 1}};
    r.owner = {0};
    r.arrays.resize(4);
    r.executed = recording::InstructionTrace{.kernel = "back", .language = "PTX"};
    EXPECT_FALSE(viz::idle_threads(r).work_for_others);
    EXPECT_EQ(viz::idle_threads(r).total, 63u);
    r.lines.push_back({.line = 1, .totals = {.global_atomic = {2, 64, 2}}});
    EXPECT_TRUE(viz::idle_threads(r).work_for_others);
}

// A trace of a program has the stores of its recorded blocks, and none by TMA.
TEST(Hierarchy, NamesNoThreadSurplusWhoseStoresWereNotRecorded)
{
    recording::Recording r;
    r.launch = {{4, 1, 1}, {32, 1, 1}};
    r.problem = {.M = 1, .N = 64, .K = 1};
    r.owner.assign(64, recording::no_owner);
    r.arrays.resize(3);
    r.executed = recording::InstructionTrace{.kernel = "product", .language = "SASS", .multiplies = true};
    EXPECT_EQ(viz::owners_known(r), viz::OwnersKnown::none);
    EXPECT_EQ(viz::idle_threads(r).total, 0u);
    for (uint32_t i = 0; i < 30; ++i)
        r.owner[i] = i;
    recording::Access store;
    store.op = recording::Op::global_store;
    r.blocks = {{{0, 0, 0}, {{{store}}, {}}}};
    EXPECT_EQ(viz::owners_known(r), viz::OwnersKnown::all) << "no other block stores";
    r.lines.push_back({.line = 1, .totals = {.global_store = {.requests = 4}}});
    EXPECT_EQ(viz::owners_known(r), viz::OwnersKnown::of_recorded_blocks);
    const viz::IdleThreads idle = viz::idle_threads(r);
    EXPECT_EQ(idle.total, 2u);
    EXPECT_EQ(idle.of(1), nullptr);
    EXPECT_EQ(viz::threads_without_element(r), 2u);
}

TEST(Hierarchy, NamesNoThreadSurplusThatMayWorkForOthers)
{
    recording::Recording r;
    r.launch = {{1, 1, 1}, {64, 1, 1}};
    r.owner = {0};
    r.arrays.resize(3);
    EXPECT_EQ(viz::idle_threads(r).total, 63u);
    recording::Recording with_workspace = r;
    with_workspace.arrays.resize(4); // split_k's workspace, in global memory
    EXPECT_TRUE(viz::idle_threads(with_workspace).work_for_others);
    EXPECT_EQ(viz::idle_threads(with_workspace).total, 0u);
    recording::Access signal;
    signal.op = recording::Op::arrive; // wgmma_tma's producer
    r.blocks = {{{0, 0, 0}, {{{signal}}, {}}}};
    EXPECT_TRUE(viz::idle_threads(r).work_for_others);
}

} // namespace
