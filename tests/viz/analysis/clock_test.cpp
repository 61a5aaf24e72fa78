#include "viz/analysis/clock.h"

#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/access.h"

#include "backend.h"
#include "model/recorded_copy.h"

#include <gtest/gtest.h>

namespace {

using recording::Op;
using namespace viz;

// A load of 32 neighbouring floats, a store to shared memory with `ways` lanes per bank, and a barrier.
recording::WarpTrace trip(uint32_t ways)
{
    return {{access_of(Op::global_load, 0, 4, 1, [](uint32_t lane) { return lane * 4; }),
             access_of(Op::shared_store, 3, 4, 2, [=](uint32_t lane) { return lane / ways * 4 + lane % ways * 128; }),
             barrier_at(3)}};
}

TEST(Clock, AStepTakesItsCostAndOneWhereItHasNone)
{
    const Clock wavefronts(trip(8), ClockUnit::wavefronts), sectors(trip(8), ClockUnit::sectors),
        steps(trip(8), ClockUnit::steps);
    EXPECT_EQ(wavefronts.cost(0), 1u);
    EXPECT_EQ(wavefronts.cost(1), 8u);
    EXPECT_EQ(wavefronts.cost(2), 1u);
    EXPECT_EQ(wavefronts.total(), 10u);
    EXPECT_EQ(sectors.cost(0), 4u);
    EXPECT_EQ(sectors.total(), 6u);
    EXPECT_EQ(steps.total(), 3u);
}

// Costs are cached by pattern. A pattern that is moved by whole rows of banks has the same cost.
TEST(Clock, EachStepCostsWhatItsAccessCosts)
{
    const std::vector<recording::Index3> blocks{{0, 0, 0}};
    for (const char* stage : {"vectorized", "padded_b", "swizzled", "async_copy", "mma_ldmatrix"}) {
        const kernels::Stage& rung = test::stage(stage);
        const recording::Recording recording = kernels::make_cpu_backend()->record(
            {&rung, rung.standard_parameters(), {.M = 128, .N = 128, .K = 48}}, blocks, {});
        for (const recording::WarpTrace& warp : recording.blocks[0].warps) {
            const Clock clock(warp, ClockUnit::wavefronts);
            for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
                const auto copy = model::copy_at(warp, step);
                const auto cost = copy ? model::copy_write(*copy) : shared_cost(warp.accesses[step]);
                ASSERT_EQ(clock.cost(step), std::max<uint64_t>(1, static_cast<uint64_t>(cost.wavefronts)))
                    << stage << ", step " << step;
            }
        }
    }
}

TEST(Clock, SaysThatItLeavesOutWhatTensorCoresRead)
{
    recording::WarpTrace warp = trip(8);
    EXPECT_FALSE(Clock(warp, ClockUnit::wavefronts).leaves_out());
    warp.accesses.push_back(access_of(Op::tile_load, 3, 16, 5, [](uint32_t lane) { return lane * 16; }));
    EXPECT_TRUE(Clock(warp, ClockUnit::wavefronts).leaves_out());
    EXPECT_FALSE(Clock(warp, ClockUnit::sectors).leaves_out());
}

TEST(Clock, KnowsTheStepUnderWay)
{
    const Clock clock(trip(8), ClockUnit::wavefronts);
    EXPECT_EQ(clock.step_at(-1), 0u);
    EXPECT_EQ(clock.step_at(0.9), 0u);
    EXPECT_EQ(clock.step_at(1), 1u);
    EXPECT_DOUBLE_EQ(clock.share_of_step(3), 0.25);
    EXPECT_EQ(clock.step_at(8.9), 1u);
    EXPECT_EQ(clock.step_at(9), 2u);
    EXPECT_EQ(clock.step_at(1e9), 2u);
    EXPECT_EQ(clock.share_of_step(1e9), 1);
    EXPECT_EQ(clock.begin(7), 10u);
    EXPECT_EQ(Clock().step_at(3), 0u);
    EXPECT_EQ(Clock().total(), 0u);
}

TEST(Clock, TheCuredStageIsAheadByTheConflictsItHasNot)
{
    const Clock ill(trip(8), ClockUnit::wavefronts), cured(trip(1), ClockUnit::wavefronts);
    EXPECT_EQ(lead(ill, cured, 0), 0);
    EXPECT_DOUBLE_EQ(lead(ill, cured, 1), 0);
    EXPECT_DOUBLE_EQ(lead(ill, cured, 2), 7) << "at the barrier, which the other reaches at 9";
    EXPECT_DOUBLE_EQ(lead(ill, cured, 3), 7);
    EXPECT_DOUBLE_EQ(lead(ill, cured, 10), 7) << "the other one had finished at 3";
    EXPECT_LT(lead(cured, ill, 2), 0);
    EXPECT_EQ(lead(Clock(), cured, 2), 0);
}

TEST(Clock, GoesByWavefrontsWhereAllUseSharedMemory)
{
    const recording::WarpTrace without{{trip(1).accesses[0]}}, with = trip(1);
    EXPECT_TRUE(viz::uses_shared(with));
    EXPECT_FALSE(viz::uses_shared(without));
    EXPECT_EQ(telling_unit(true), ClockUnit::wavefronts);
    EXPECT_EQ(telling_unit(false), ClockUnit::sectors);
}

TEST(Clock, AWarpOfFewDoesMoreThanOneOfMany)
{
    recording::Recording few, many;
    few.launch = {.grid = {1, 1, 1}, .block = {256, 1, 1}};
    many.launch = {.grid = {4, 4, 1}, .block = {32, 32, 1}};
    EXPECT_EQ(work_of_warp(many, few), 64);
    EXPECT_EQ(work_of_warp(few, many), 1.0 / 64);
    EXPECT_EQ(work_of_warp(few, few), 1);
    many.problem.K = 7;
    EXPECT_FALSE(work_of_warp(many, few)) << "another problem";
}

TEST(TellingStep, IsOfAWarpThatWorks)
{
    const recording::WarpTrace waits{{trip(1).accesses[2]}}, works = trip(1);
    EXPECT_EQ(telling_warp({.block = {0, 0, 0}, .warps = {waits, waits, works}}, 0), 2u);
    EXPECT_EQ(telling_warp({.block = {0, 0, 0}, .warps = {works, waits, works}}, 2), 2u) << "the wanted one";
    EXPECT_EQ(telling_warp({.block = {0, 0, 0}, .warps = {waits, waits}}, 1), 1u);
}

TEST(TellingStep, IsTheWorstConflictOrTheFirstDifference)
{
    recording::WarpTrace two = trip(2);
    for (const recording::Access& access : trip(4).accesses)
        two.accesses.push_back(access);
    EXPECT_EQ(default_step(two, nullptr), 4u);
    recording::WarpTrace cured = two;
    cured.accesses[1] = trip(1).accesses[1];
    EXPECT_EQ(default_step(two, &cured), 1u);
    EXPECT_EQ(default_step(two, &two), 4u) << "two equal warps are like one warp";
    EXPECT_EQ(default_step(trip(1), nullptr), 1u) << "the first to shared memory";
}

TEST(TellingStep, IsInTheTileWhoseLayoutIsNotPlain)
{
    recording::Recording padded;
    padded.arrays = {array_of("A", recording::Space::global, 2, 32), array_of("As", recording::Space::shared, 2, 32),
                     array_of("Bs", recording::Space::shared, 2, 32)};
    const auto at = [](uint8_t array) {
        return access_of(Op::shared_load, array, 4, 1, [](uint32_t l) { return 4 * l; });
    };
    const recording::WarpTrace warp{{at(2), at(1), at(2)}};
    EXPECT_EQ(step_in_moved_tile(padded, warp, 2), 2u) << "both tiles are plain";
    padded.arrays[1].pitch = 132;
    EXPECT_EQ(step_in_moved_tile(padded, warp, 2), 1u);
    EXPECT_EQ(step_in_moved_tile(padded, warp, 1), 1u);
}

} // namespace
