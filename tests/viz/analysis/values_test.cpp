#include "viz/analysis/values.h"

#include "tests/viz/analysis/recordings.h"

#include "backend.h"
#include "gemm/inputs.h"
#include "recording/inputs.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

recording::Recording naive(const recording::Problem& problem)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, "naive");
    const recording::Index3 block{0, 0, 0};
    return kernels::make_cpu_backend()->record({&stage, stage.standard_parameters(), problem}, {&block, 1}, {});
}

TEST(Values, AreWhatTheKernelWasGiven)
{
    const recording::Problem problem{.M = 7, .N = 5, .K = 9};
    const recording::Recording recording = naive(problem);
    const kernels::Operands given = kernels::random_operands(kernels::Operation::gemm, problem, recording::input_seed);
    EXPECT_EQ(value_of(recording, 0, {6, 8}), given.A[6 * 9 + 8]);
    EXPECT_EQ(value_of(recording, 1, {8, 0}), given.B[8 * 5]);
    EXPECT_EQ(value_of(recording, 2, {3, 4}), given.C[3 * 5 + 4]);
    EXPECT_FALSE(value_of(recording, 0, {7, 0})) << "outside";
    EXPECT_FALSE(value_of(recording, 3, {0, 0})) << "no such array";
}

TEST(Values, ASumIsOfTheProductsSoFar)
{
    const recording::Problem problem{.M = 7, .N = 5, .K = 9};
    const recording::Recording recording = naive(problem);
    const kernels::Operands given = kernels::random_operands(kernels::Operation::gemm, problem, recording::input_seed);
    double sum = 0;
    for (uint32_t k = 2; k < 6; ++k)
        sum += double{given.A[3 * 9 + k]} * double{given.B[k * 5 + 4]};
    EXPECT_EQ(partial_sum(recording, {3, 4}, 2, 6), sum);
    EXPECT_EQ(partial_sum(recording, {3, 4}, 2, 2), 0);
    EXPECT_FALSE(partial_sum(recording, {3, 4}, 0, 10)) << "K is 9";
}

TEST(Values, OfAnotherTypeOrInsideATileAreNotGuessed)
{
    recording::Recording recording;
    recording.arrays = {array_of("A", recording::Space::global, 4, 4), array_of("B", recording::Space::shared, 4, 4)};
    EXPECT_TRUE(value_of(recording, 0, {0, 0}));
    EXPECT_FALSE(value_of(recording, 1, {0, 0}));
    recording.arrays[0].element_bytes = 2;
    EXPECT_FALSE(value_of(recording, 0, {0, 0}));
}

} // namespace
