// Tests autotuning with a simulated GPU: the sets that it tries and their ranking.
#include "tests/app/session/fake_gpu.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include "backend.h"
#include "measure/tuning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace {

using kernels::Candidate;
using kernels::ParameterValues;
using test::FakeGpu;
using test::says;

kernels::Tuning search_of(const std::vector<int>& sides)
{
    std::vector<ParameterValues> sets;
    for (const int side : sides)
        sets.push_back({side});
    return {test::stage("naive"), {.M = 512, .N = 512, .K = 512}, sets};
}

TEST(Tuning, TriesTheProductOfWhatIsDeclaredWithoutWhatIsRefused)
{
    const kernels::Stage& stage = test::stage("autotuned");
    const std::vector<ParameterValues> sets = candidate_sets(stage, stage.standard_parameters(), {});
    EXPECT_GT(sets.size(), 50u);
    EXPECT_LT(sets.size(), 2000u);
    EXPECT_EQ(sets.front(), stage.standard_parameters());
    for (const ParameterValues& set : sets) {
        EXPECT_EQ(stage.refusal(set), "");
        EXPECT_EQ(std::ranges::count(sets, set), 1);
        EXPECT_TRUE(set == sets.front() || stage.worth_trying(set));
    }
    // A parameter that the user sets keeps its value.
    const std::vector<std::string> fixed = {"BM"};
    ParameterValues base = stage.standard_parameters();
    base[0] = 64;
    base[3] = 32;
    for (const ParameterValues& set : candidate_sets(stage, base, fixed))
        EXPECT_EQ(set[0], 64);
}

TEST(Tuning, AStageThatDeclaresNoCandidatesTriesItsChoices)
{
    const kernels::Stage& stage = test::stage("warp_tile");
    const std::vector<ParameterValues> sets = candidate_sets(stage, stage.standard_parameters(), {});
    for (const ParameterValues& variant : stage.cpu_variants)
        EXPECT_EQ(std::ranges::count(sets, variant), 1);
}

TEST(Tuning, RanksByTimeAndShowsWhatIsWrongOrFails)
{
    FakeGpu gpu;
    gpu.answers = {{8, {.ms = 4}},
                   {16, {.ms = 1, .error = std::numeric_limits<double>::quiet_NaN()}},
                   {24, {.fails = true}},
                   {32, {.ms = 2}}};
    kernels::Tuning tuning = search_of({8, 16, 24, 32});
    EXPECT_EQ(tuning.best(), nullptr);
    while (tuning.step(gpu, {})) {
    }
    ASSERT_TRUE(tuning.finished());
    EXPECT_EQ(tuning.steps_done(), tuning.steps());
    const std::vector<const Candidate*> ranked = tuning.ranking();
    ASSERT_EQ(ranked.size(), 4u);
    EXPECT_EQ(ranked[0]->parameters[0], 32);
    EXPECT_EQ(ranked[1]->parameters[0], 8);
    EXPECT_EQ(ranked[2]->state, Candidate::State::wrong); // the fastest, but its result is wrong
    EXPECT_EQ(ranked[2]->gflops, 0);
    EXPECT_EQ(ranked[3]->state, Candidate::State::failed);
    EXPECT_EQ(ranked[3]->failure, "It does not compile.");
    EXPECT_DOUBLE_EQ(ranked[0]->gflops, 2.0 * 512 * 512 * 512 / 2 * 1e-6);
    EXPECT_DOUBLE_EQ(ranked[0]->of_cublas.value(), 0.5);
    EXPECT_EQ(gpu.most_prepared, 4u);
}

TEST(Tuning, AWinnerThatIsWrongElsewhereGivesItsPlaceToTheNext)
{
    FakeGpu gpu;
    gpu.answers = {{8, {.ms = 1, .wrong_when_small = true}}, {16, {.ms = 2}}};
    kernels::Tuning tuning = search_of({8, 16});
    while (tuning.step(gpu, {})) {
    }
    ASSERT_NE(tuning.best(), nullptr);
    EXPECT_EQ(tuning.best()->parameters[0], 16);
    EXPECT_TRUE(says(tuning.ranking().back()->failure, "M=131"));
}

TEST(Tuning, InterruptedItKeepsWhatItMeasured)
{
    FakeGpu gpu;
    gpu.answers = {{8, {.ms = 4}}, {16, {.ms = 3}}, {24, {.ms = 2}}};
    gpu.stop_after = 2;
    kernels::Tuning tuning = search_of({8, 16, 24});
    EXPECT_THROW(while (tuning.step(gpu, gpu.stop.get_token())){}, kernels::Cancelled);
    ASSERT_NE(tuning.best(), nullptr);
    EXPECT_EQ(tuning.best()->parameters[0], 16);
    EXPECT_EQ(tuning.steps_done(), 2u);
    EXPECT_EQ(tuning.ranking().back()->state, Candidate::State::waiting);
    while (tuning.step(gpu, {})) { // continues where it stopped
    }
    EXPECT_EQ(tuning.best()->parameters[0], 24);
    EXPECT_EQ(std::ranges::count(gpu.benched, 8), 2); // once as a candidate, and once as a finalist
}

} // namespace
