#include "viz/analysis/values.h"

#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"

#include "backend.h"
#include "gemm/element_type.h"
#include "gemm/inputs.h"
#include "recording/inputs.h"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace viz;

using recording::Inputs;

recording::Recording recorded(const char* slug, const recording::Problem& problem, Inputs inputs)
{
    const kernels::Stage& stage = test::stage(slug);
    return test::record({&stage, stage.standard_parameters(), problem, inputs});
}

recording::Recording naive(const recording::Problem& problem)
{
    return recorded("naive", problem, Inputs::random);
}

TEST(Values, AreWhatTheKernelWasGiven)
{
    const recording::Problem problem{.M = 7, .N = 5, .K = 9};
    const recording::Recording recording = naive(problem);
    const kernels::Operands given = kernels::input_operands(kernels::Operation::gemm, problem, recording::input_seed);
    EXPECT_EQ(viz::value_of(recording, 0, {6, 8}), given.A[6 * 9 + 8]);
    EXPECT_EQ(viz::value_of(recording, 1, {8, 0}), given.B[8 * 5]);
    EXPECT_EQ(viz::value_of(recording, 2, {3, 4}), given.C[3 * 5 + 4]);
    EXPECT_FALSE(viz::value_of(recording, 0, {7, 0})) << "outside";
    EXPECT_FALSE(viz::value_of(recording, 3, {0, 0})) << "no such array";
}

TEST(Values, ASumIsOfTheProductsSoFar)
{
    const recording::Problem problem{.M = 7, .N = 5, .K = 9};
    const recording::Recording recording = naive(problem);
    const kernels::Operands given = kernels::input_operands(kernels::Operation::gemm, problem, recording::input_seed);
    double sum = 0;
    for (uint32_t k = 2; k < 6; ++k)
        sum += double{given.A[3 * 9 + k]} * double{given.B[k * 5 + 4]};
    EXPECT_EQ(partial_sum(recording, {3, 4}, 2, 6), sum);
    EXPECT_EQ(partial_sum(recording, {3, 4}, 2, 2), 0);
    EXPECT_FALSE(partial_sum(recording, {3, 4}, 0, 10)) << "K is 9";
}

TEST(Values, SmallOnesAreWholeNumbersThatTheKernelWasGiven)
{
    const recording::Problem problem{.M = 7, .N = 5, .K = 9};
    const recording::Recording recording = recorded("naive", problem, Inputs::small);
    const kernels::Operands given =
        kernels::input_operands(kernels::Operation::gemm, problem, recording::input_seed, Inputs::small);
    std::set<float> seen;
    for (uint32_t row = 0; row < 7; ++row)
        for (uint32_t k = 0; k < 9; ++k) {
            EXPECT_EQ(viz::value_of(recording, 0, {row, k}), given.A[row * 9 + k]);
            seen.insert(given.A[row * 9 + k]);
        }
    EXPECT_EQ(seen, (std::set<float>{1, 2, 3, 4, 5}));
}

// The value of C that is shown after the last product is the one that the kernel computed.
TEST(Values, AWholeSumIsWhatTheKernelComputes)
{
    const recording::Problem problem{.M = 16, .N = 16, .K = 32};
    for (const char* slug : {"naive", "strided_b", "shared_tile", "vectorized", "wmma", "mma_ldmatrix"}) {
        const kernels::Stage& stage = test::stage(slug);
        const recording::Recording recording = recorded(slug, problem, Inputs::small);
        kernels::Operands operands =
            kernels::input_operands(stage.operation, problem, recording::input_seed, Inputs::small);
        kernels::make_cpu_backend()->run({&stage, stage.standard_parameters(), problem, Inputs::small},
                                         kernels::ProbeKind::none, operands, {});
        for (uint32_t row = 0; row < 16; ++row)
            for (uint32_t col = 0; col < 16; ++col)
                ASSERT_EQ(partial_sum(recording, {row, col}, 0, 32), operands.C[row * 16 + col]) << slug;
    }
}

TEST(Values, ARunningSumIsThePartialSum)
{
    const recording::Recording recording = naive({.M = 4, .N = 4, .K = 200});
    RunningSums sums(recording);
    for (const uint32_t end : {0u, 1u, 63u, 64u, 65u, 200u, 7u, 128u})
        EXPECT_EQ(sums.up_to({2, 3}, end), partial_sum(recording, {2, 3}, 0, end)) << end;
    EXPECT_FALSE(sums.up_to({2, 3}, 201));
    EXPECT_FALSE(sums.up_to({4, 3}, 1)) << "no such element";
}

TEST(Values, OfAStrangersFileAreNotGuessed)
{
    recording::Recording recording = naive({.M = 4, .N = 4, .K = 4});
    ASSERT_TRUE(viz::value_of(recording, 0, {0, 0}));
    recording.inputs = Inputs::unknown;
    EXPECT_FALSE(viz::value_of(recording, 0, {0, 0}));
    EXPECT_FALSE(partial_sum(recording, {0, 0}, 0, 1));
}

TEST(Values, OfAnotherTypeOrInsideATileAreNotGuessed)
{
    recording::Recording recording;
    recording.inputs = Inputs::random;
    recording.arrays = {array_of("A", recording::Space::global, 4, 4), array_of("B", recording::Space::shared, 4, 4)};
    EXPECT_TRUE(viz::value_of(recording, 0, {0, 0}));
    EXPECT_FALSE(viz::value_of(recording, 1, {0, 0}));
    recording.arrays[0].element_bytes = 2;
    EXPECT_FALSE(viz::value_of(recording, 0, {0, 0})) << "the type to which inputs are rounded is not known";
    recording.inputs = Inputs::small;
    EXPECT_TRUE(viz::value_of(recording, 0, {0, 0})) << "exact in every type";
}

// Values of FP16 and BF16 are shown rounded, as the kernel receives them.
TEST(Values, OfTwoBytesAreRoundedAsTheKernelGetsThem)
{
    recording::Recording wide = naive({.M = 64, .N = 4, .K = 64}), narrow = wide;
    narrow.arrays[0].element_bytes = 2;
    for (uint32_t& place : narrow.arrays[0].layout)
        place /= 2;
    for (const Type type : {type_fp16, type_bf16}) {
        narrow.parameters = {{"TYPE", type}};
        for (uint32_t row = 0; row < 64; ++row)
            for (uint32_t col = 0; col < 64; ++col)
                ASSERT_EQ(viz::value_of(narrow, 0, {row, col}),
                          kernels::rounded(*viz::value_of(wide, 0, {row, col}), type));
    }
}

} // namespace
