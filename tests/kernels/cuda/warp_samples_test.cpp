// Tests the conversion of CUPTI's samples. Needs no GPU.
#include <gtest/gtest.h>

#include "cuda/warp_times.h"
#include "error.h"
#include "tests/says.h"

namespace {

using cuda::SamplingPlan;
using cuda::TakenSamples;

TEST(WarpSamples, StatesGoByTheirShortNames)
{
    EXPECT_EQ(cuda::state_of("smsp__pcsamp_warps_issue_stalled_long_scoreboard"), "long_scoreboard");
    EXPECT_EQ(cuda::state_of("smsp__pcsamp_warps_issue_stalled_selected"), recording::issued_state);
    EXPECT_EQ(cuda::state_of("smsp__pcsamp_warps_issue_stalled_wait_not_issued"), "")
        << "would count the warp a second time";
    EXPECT_EQ(cuda::state_of("smsp__pcsamp_warp_stall_drain"), "drain");
    EXPECT_EQ(cuda::state_of("smsp__pcsamp_warp_stall_drain_not_issued"), "");
    EXPECT_EQ(cuda::state_of("smsp__pcsamp_sample_count"), "") << "not a state of a warp";
}

// Returns samples of two kernels of a stage, of a third kernel, and of a state that counts warps a second time.
TakenSamples taken()
{
    return {.rows = {{"second", 0x20, 7, 5},
                     {"first", 0x30, 7, 2},
                     {"first", 0x10, 9, 4},
                     {"first", 0x10, 7, 1},
                     {"first", 0x10, 7, 2}, // from another buffer
                     {"first", 0x10, 8, 3},
                     {"first", 0x40, 9, 0},
                     {"elsewhere", 0x10, 7, 6}},
            .states = {{7, "smsp__pcsamp_warps_issue_stalled_wait"},
                       {8, "smsp__pcsamp_warps_issue_stalled_wait_not_issued"},
                       {9, "smsp__pcsamp_warps_issue_stalled_selected"}},
            .taken = 31,
            .dropped = 4,
            .elsewhere = 7};
}

TEST(WarpSamples, AreAddedUpByKernelAddressAndState)
{
    const std::vector<std::string> names = {"first", "second"};
    const recording::WarpSamples samples = cuda::samples_by_address(taken(), names, {.launches = 3, .exponent = 10});
    EXPECT_EQ(samples.states, (std::vector<std::string>{"wait", "selected"}));
    EXPECT_EQ(samples.cycles, 1024u);
    EXPECT_EQ(samples.launches, 3);
    const auto row = [&](std::size_t i) {
        const recording::WarpSample& one = samples.samples.at(i);
        return std::vector<uint64_t>{one.kernel, one.address, one.state, one.warps};
    };
    ASSERT_EQ(samples.samples.size(), 4u) << "no entry is empty, and none occurs twice";
    EXPECT_EQ(row(0), (std::vector<uint64_t>{0, 0x10, 0, 3}));
    EXPECT_EQ(row(1), (std::vector<uint64_t>{0, 0x10, 1, 4}));
    EXPECT_EQ(row(2), (std::vector<uint64_t>{0, 0x30, 0, 2}));
    EXPECT_EQ(row(3), (std::vector<uint64_t>{1, 0x20, 0, 5}));
    EXPECT_EQ(samples.kept(), 14u);
    EXPECT_EQ(samples.elsewhere, 13u) << "samples of other kernels, with and without records";
    EXPECT_EQ(samples.kept() + samples.dropped + samples.elsewhere, samples.taken);
}

TEST(WarpSamples, NoneOfTheKernelIsAReason)
{
    const std::vector<std::string> names = {"third"};
    const std::string said = test::refusal<kernels::Unavailable>([&] { cuda::samples_by_address(taken(), names, {}); });
    EXPECT_EQ(said,
              "Why warps wait is not known: of 31 samples that the GPU took, none was of this stage's kernel (4 were "
              "dropped, 27 of other kernels); end other profilers and try again.");
}

TEST(SamplingPlan, TakesEnoughAndNotTooMany)
{
    const recording::Device h200{.sm_count = 132, .clock_khz = 1'980'000};
    // For launches of 10 us, 50 launches take half a millisecond, 990,000 cycles of each SM.
    EXPECT_EQ(cuda::sampling_plan(1e-5, h200), (SamplingPlan{50, 10}));
    // For launches of 1 ms, ten launches take 10 ms, 19.8 million cycles of each of 132 SMs. One sample per 1,024
    // cycles makes 2.55 million.
    EXPECT_EQ(cuda::sampling_plan(1e-3, h200), (SamplingPlan{10, 10}));
    // For launches of 0.3 s, one launch takes 594 million cycles of each of 132 SMs. An interval of 2^15 makes 2.39
    // million samples, 2^14 would make 4.79 million.
    EXPECT_EQ(cuda::sampling_plan(0.3, h200), (SamplingPlan{1, 15}));
    EXPECT_EQ(cuda::sampling_plan(0, {}), (SamplingPlan{50, 10})) << "the clock is unknown";
}

} // namespace
