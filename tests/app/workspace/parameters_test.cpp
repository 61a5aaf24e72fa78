// Changes of one parameter of a stage. Others change with it if their values are not valid together with the new one.
#include "app/workspace/choice.h"

#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

constexpr bool gpu = false;
constexpr std::size_t BK = 2, TM = 3; // of vectorized: BM, BN, BK, TM, TN

TEST(ParameterChange, LeavesTheOthersWhereTheyCanStay)
{
    const kernels::Stage& stage = test::stage("vectorized");
    EXPECT_EQ(app::with_value(stage, {128, 128, 8, 8, 8}, BK, 16, gpu), (kernels::ParameterValues{128, 128, 16, 8, 8}));
}

TEST(ParameterChange, TakesTheNearestSetThatCanBe)
{
    const kernels::Stage& stage = test::stage("vectorized");
    ASSERT_FALSE(app::refusal(stage, {64, 64, 16, 8, 8}, gpu).empty()) << "no such set is built in";
    EXPECT_EQ(app::with_value(stage, {64, 64, 8, 8, 8}, BK, 16, gpu), (kernels::ParameterValues{64, 64, 16, 4, 4}))
        << "128 x 128 with 8 x 8 comes first among those that are built in, and is further away";
}

TEST(ParameterChange, SaysWhyNotWhereThereIsNone)
{
    const kernels::Stage& stage = test::stage("vectorized");
    const auto next = app::with_value(stage, {128, 128, 8, 8, 8}, TM, 3, gpu);
    EXPECT_EQ(next, (kernels::ParameterValues{128, 128, 8, 3, 8}));
    EXPECT_NE(app::refusal(stage, next, gpu), "");
}

} // namespace
