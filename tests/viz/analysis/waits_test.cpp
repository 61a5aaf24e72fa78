// Stall reasons of warps, from samples that are easily added.
#include "tests/says.h"
#include "viz/analysis/waits.h"

#include "viz/text/rich.h"

#include <gtest/gtest.h>

namespace {

using test::says;
using viz::WaitCount;
using viz::Waits;

// Line 7 has two instructions, line 8 has one, and one has no line. The states are 0 wait, 1 selected, 2 long
// scoreboard, and 3, which only a future GPU has.
recording::RunProfile sampled_run()
{
    return {.instructions = {{0, 0x10, "LDG", 7, 4},
                             {0, 0x20, "FFMA", 7, 4},
                             {0, 0x30, "BAR", 8, 4},
                             {1, 0x10, "EXIT", 0, 4}},
            .samples = recording::WarpSamples{.states = {"wait", "selected", "long_scoreboard", "newly_invented"},
                                              .samples = {{0, 0x10, 0, 5},
                                                          {0, 0x10, 1, 10},
                                                          {0, 0x20, 0, 5},
                                                          {0, 0x20, 2, 60},
                                                          {0, 0x30, 2, 20},
                                                          {1, 0x10, 3, 10}},
                                              .cycles = 1024,
                                              .launches = 1,
                                              .taken = 115,
                                              .dropped = 5}};
}

TEST(Waits, OfALaunchLeaveOutWarpsThatIssue)
{
    const Waits all = viz::waits_of(sampled_run());
    EXPECT_EQ(all.issued, 10u);
    EXPECT_EQ(all.waits, (std::vector<WaitCount>{{"long_scoreboard", 80}, {"newly_invented", 10}, {"wait", 10}}));
    EXPECT_EQ(all.waiting(), 100u);
    EXPECT_EQ(all.waiting() + all.issued, sampled_run().samples->kept()) << "the parts add up to all samples";
    EXPECT_DOUBLE_EQ(all.share(all.waits[0]), 0.8);
    EXPECT_DOUBLE_EQ(all.share_of("wait"), 0.1);
    EXPECT_EQ(all.share_of("barrier"), 0);
}

TEST(Waits, AreOfALineAndOfAnInstruction)
{
    const std::map<uint32_t, Waits> lines = viz::waits_by_line(sampled_run());
    const Waits line = lines.at(7);
    EXPECT_EQ(line.issued, 10u);
    EXPECT_EQ(line.waits, (std::vector<WaitCount>{{"long_scoreboard", 60}, {"wait", 10}}));
    ASSERT_NE(line.most(), nullptr);
    EXPECT_EQ(line.most()->state, "long_scoreboard");
    const auto each = viz::waits_by_instruction(sampled_run());
    EXPECT_EQ(each.size(), 4u);
    EXPECT_EQ(each.at({0, 0x10}).waits, (std::vector<WaitCount>{{"wait", 5}}));
    EXPECT_EQ(each.at({0, 0x10}).issued, 10u);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines.at(8).waiting(), 20u);
    EXPECT_EQ(lines.at(0).waiting(), 10u) << "samples without a line are in the total";
}

// For each stall reason, the line at which most warps wait is first.
TEST(Waits, LeadToTheLinesThatHaveThem)
{
    EXPECT_EQ(viz::lines_waiting(sampled_run(), "long_scoreboard"), (std::vector<viz::LineWait>{{7, 0.75}, {8, 0.25}}));
    EXPECT_EQ(viz::lines_waiting(sampled_run(), "wait"), (std::vector<viz::LineWait>{{7, 1}}));
    EXPECT_TRUE(viz::lines_waiting(sampled_run(), "newly_invented").empty()) << "its instruction has no source line";
    EXPECT_TRUE(viz::lines_waiting(sampled_run(), "barrier").empty());
}

TEST(Waits, WithoutSamplesAreNone)
{
    recording::RunProfile none = sampled_run();
    none.samples.reset();
    EXPECT_EQ(viz::waits_of(none).waiting(), 0u);
    EXPECT_TRUE(viz::waits_by_line(none).empty());
    EXPECT_TRUE(viz::wait_words(viz::waits_of(none), viz::waits_of(none)).empty()) << "without waits there is no text";
}

TEST(Waits, AreSaidInPlainWords)
{
    const Waits all = viz::waits_of(sampled_run());
    EXPECT_EQ(viz::plain(viz::wait_words(viz::waits_by_line(sampled_run()).at(8), all)),
              "20.0% of all waits (20 of 100 samples of warps that waited): 100% wait for data from global or local "
              "memory (long scoreboard).");
    EXPECT_EQ(viz::state_words("newly_invented"), "for something that has no plain words here");
    EXPECT_EQ(viz::state_brief("long_scoreboard"), "global memory");
    EXPECT_EQ(viz::state_brief("newly_invented"), "newly invented");
    EXPECT_EQ(viz::state_name("math_pipe_throttle"), "math pipe throttle");
    EXPECT_EQ(viz::plain(viz::sample_words(*sampled_run().samples)),
              "110 samples, one each 1,024 cycles of an SM, in 1 launch. The GPU dropped 5 of 115 samples.");
    recording::WarpSamples whole = *sampled_run().samples;
    whole.dropped = 0;
    EXPECT_FALSE(says(viz::plain(viz::sample_words(whole)), "dropped")) << "no sample was dropped";
}

} // namespace
