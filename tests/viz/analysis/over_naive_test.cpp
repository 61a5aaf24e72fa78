// A speed relative to naive exists only if both were measured in the same way.
#include "viz/analysis/comparison.h"

#include <gtest/gtest.h>

namespace {

using recording::Measured;
using recording::Missing;
using recording::Provenance;

Measured<double> speed_on(double gflops, const char* device, uint32_t side = 4096, bool shipped = false)
{
    return {gflops,
            Provenance{
                .shipped = shipped, .device = device, .problem = recording::Problem{.M = side, .N = side, .K = side}}};
}

TEST(OverNaive, IsTheQuotientOfOneRun)
{
    const Measured<double> times = viz::speedup_over_naive(speed_on(6000, "a GPU"), speed_on(500, "a GPU"));
    EXPECT_DOUBLE_EQ(*times, 12);
    EXPECT_EQ(times.from().device, "a GPU");
}

TEST(OverNaive, IsMissingWhereTheTwoHaveNothingInCommon)
{
    EXPECT_FALSE(viz::speedup_over_naive(speed_on(6000, "a GPU"), speed_on(500, "another GPU")));
    EXPECT_FALSE(viz::speedup_over_naive(speed_on(6000, "a GPU"), speed_on(500, "a GPU", 1024)));
    EXPECT_FALSE(viz::speedup_over_naive(speed_on(6000, "a GPU"), speed_on(500, "a GPU", 4096, true)));
    EXPECT_EQ(viz::speedup_over_naive(Missing::no_gpu, speed_on(500, "a GPU")).missing().missing, Missing::no_gpu);
    EXPECT_EQ(viz::speedup_over_naive(speed_on(6000, "a GPU"), Missing::in_progress).missing().missing,
              Missing::in_progress);
}

} // namespace
