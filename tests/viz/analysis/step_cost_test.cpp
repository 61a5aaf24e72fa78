// The work of two stages on one scale of cost, computed by hand, and the named cause.
#include "tests/says.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/step_cost.h"
#include "viz/text/rich.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace viz;
using test::says;
using recording::Op;
using recording::Recording;

// 8 x 8 results over K = 1000: 64,000 multiplications by one block of one warp, whose lanes read words `stride` bytes
// apart.
Recording reading(uint32_t stride)
{
    Recording r = product_of({8, 8, 1000, 1, 0});
    r.blocks = {{{0, 0, 0},
                 {{{access_of(Op::global_load, 0, 4, 1, [=](uint32_t lane) { return lane * stride; }),
                    access_of(Op::shared_load, 0, 4, 2, [](uint32_t) { return 0u; })}}}}};
    return r;
}

HardwareFigures counted_figures(double issued, double wavefronts)
{
    HardwareFigures figures;
    figures.problem = {8, 8, 1000, 1, 0};
    figures.issued = issued;
    figures.shared_wavefronts = wavefronts;
    figures.shared_store_wavefronts = 0;
    return figures;
}

// One SM of 1 GHz: 1,000 multiplications take 2,000 / GFLOPS cycles.
recording::GpuProperties slow_gpu()
{
    return {.sm_count = 1, .clock_khz = 1000000};
}

ComparedRung rung(const char* slug, const Recording& recording, double gflops)
{
    return {slug, recording, {}, {{gflops, {}}, {}}};
}

TEST(StepCost, CountsTheLinesThatAWarpTouches)
{
    const Recording near = reading(4), far = reading(512);
    EXPECT_DOUBLE_EQ(*recorded_work(near, near.blocks[0]).lines, 1.0 / 64);
    EXPECT_DOUBLE_EQ(*recorded_work(far, far.blocks[0]).lines, 32.0 / 64);
}

TEST(StepCost, TakesExecutedFiguresWhereBothHaveThem)
{
    const Recording recording = reading(4);
    const HardwareFigures few = counted_figures(640, 320), many = counted_figures(1280, 640);
    const ComparedRung first = rung("first", recording, 200), second = rung("second", recording, 100);
    const recording::GpuProperties gpu = slow_gpu();
    const auto both = work_of({first, &few, {1.0}}, {second, &many, {2.0}}, &gpu);
    ASSERT_EQ(both.size(), 4u);
    EXPECT_DOUBLE_EQ(*both[0].first, 10) << "cycles";
    EXPECT_DOUBLE_EQ(*both[1].second, 20) << "1,280 instructions in 64,000 multiplications";
    EXPECT_DOUBLE_EQ(both[1].cycles(20), 5) << "four a cycle";
    EXPECT_TRUE(both[2].executed);
    EXPECT_DOUBLE_EQ(*both[2].first, 5);
    const auto one = work_of({first, &few, {1.0}}, {second, nullptr, {2.0}}, &gpu);
    ASSERT_EQ(one.size(), 2u) << "only time and lines are known of both";
    EXPECT_EQ(one[1].work, Work::lines);
    const auto unseen = work_of({first, &few, {.unseen = true}}, {second, &many, {2.0}}, &gpu);
    EXPECT_FALSE(unseen[2].first.has_value()) << "work without addresses of lanes is unknown and not zero";
}

TEST(StepCost, IntensityOfSharedMemory)
{
    const Recording recording = reading(4);
    const HardwareFigures figures = counted_figures(640, 320); // 5 wavefronts of 128 bytes for 2,000 FLOP
    const ComparedRung stage = rung("stage", recording, 200);
    EXPECT_DOUBLE_EQ(*shared_intensity({stage, &figures, {}}), 2000.0 / (5 * 128));
    EXPECT_FALSE(shared_intensity({stage, &figures, {.unseen = true}}).has_value());
    EXPECT_FALSE(shared_intensity({stage, nullptr, {}}).has_value()) << "it was neither counted nor recorded";
}

TEST(StepCost, NamesTheLargestChangeThatGoesWithTheSpeed)
{
    const std::vector<WorkPair> pairs{{Work::time, 20, 30, true},
                                      {Work::instructions, 40, 60, true}, // 5 cycles fewer
                                      {Work::wavefronts, 10, 18, true},   // 8 fewer
                                      {Work::lines, 9, 1, false}};        // more, although the stage is faster
    EXPECT_EQ(main_cause(pairs), Work::wavefronts);
    EXPECT_FALSE(main_cause({{Work::time, 20, 30, true}, {Work::wavefronts, 10, 10.5, true}}).has_value())
        << "half a cycle of ten explains nothing";
    EXPECT_FALSE(main_cause({{Work::wavefronts, 1, 10, true}}).has_value()) << "without speeds there is no cause";

    const Recording recording = reading(4);
    const ComparedRung first = rung("first", recording, 300), second = rung("second", recording, 200);
    const std::string said = plain(step_headline(first, second, pairs));
    EXPECT_EQ(said, "1.50 × as fast as second: 10.0 shared wavefronts instead of 18.0");
    EXPECT_TRUE(says(plain(step_headline(first, second, {{Work::time, 20, 30, true}})), "less waiting, not less work"));
}

TEST(StepCost, ACauseThatExplainsLessThanHalfIsNotNamedAlone)
{
    const std::vector<WorkPair> pairs{{Work::time, 80, 14, true}, {Work::wavefronts, 20, 10, true}}; // 10 of 66 cycles
    const Recording recording = reading(4);
    ComparedRung first = rung("first", recording, 100), second = rung("second", recording, 550);
    const char* const partly = "20.0 shared wavefronts instead of 10.0, and more waiting";
    const auto cause_of = [&] { return plain(step_headline(first, second, pairs)); };
    EXPECT_TRUE(says(cause_of(), partly));
    auto& local = first.figures.values[static_cast<std::size_t>(Measure::local_bytes)];
    auto& local_of_second = second.figures.values[static_cast<std::size_t>(Measure::local_bytes)];
    local = 64;
    EXPECT_TRUE(says(cause_of(), partly)) << "local memory of the second stage is not known";
    local_of_second = 0;
    EXPECT_TRUE(says(cause_of(), "64 bytes per thread in local memory instead of 0"));
    local = 0;
    local_of_second = 64;
    EXPECT_TRUE(says(cause_of(), partly)) << "a change in the other direction is no cause";
}

// Two traces with unknown speeds: the largest change is named nevertheless.
TEST(StepCost, HeadlineOfLaunchesNamesWhatChangedMost)
{
    Recording bad = reading(4), good = reading(4);
    bad.executed = good.executed = recording::InstructionTrace{.kernel = "transpose", .language = "PTX"};
    const std::vector<WorkPair> pairs{{Work::wavefronts, 256, 4224}, {Work::lines, 10, 11}};
    const Rich said = step_headline({"good", good, {}, {}}, {"bad", bad, {}, {}}, pairs);
    EXPECT_EQ(plain(said), "beside bad: 256 shared wavefronts instead of 4,224");
    EXPECT_EQ(std::ranges::find(said, "256", &viz::Run::words)->meaning, Meaning::good);
    const Rich alike = step_headline({"good", good, {}, {}}, {"bad", bad, {}, {}}, {{Work::wavefronts, 256, 256}});
    EXPECT_EQ(plain(alike), "beside bad");
}

} // namespace
