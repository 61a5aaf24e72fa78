// Ticks at readable values, and the conversion of values to pixels and back.
#include "viz/figure/axis.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using viz::Axis;

Axis linear(double least, double most)
{
    return {.least = least, .most = most, .logarithmic = false, .title = {}};
}

TEST(Axis, TicksAreReadableAndFew)
{
    EXPECT_EQ(viz::ticks_of({0.05, 300, true, 2}, 8), (std::vector<double>{0.0625, 0.25, 1, 4, 16, 64, 256}));
    EXPECT_EQ(viz::ticks_of({500, 2e6}, 8), (std::vector<double>{1000, 10000, 100000, 1000000}));
    EXPECT_EQ(viz::ticks_of(linear(0, 67000), 8), (std::vector<double>{0, 10000, 20000, 30000, 40000, 50000, 60000}));
    Axis registers = linear(1, 255);
    registers.step = 64;
    EXPECT_EQ(viz::ticks_of(registers, 8), (std::vector<double>{64, 128, 192}));
    EXPECT_EQ(viz::ticks_of(linear(500, 500), 8), (std::vector<double>{500})) << "where all values are the same";
}

TEST(Axis, TicksSayWhatTheyStandFor)
{
    EXPECT_EQ(viz::tick_text({}, 0.0625), "1/16");
    EXPECT_EQ(viz::tick_text({}, 10000), "10,000");
    EXPECT_EQ(viz::tick_text({}, 1), "1");
    EXPECT_EQ(viz::tick_text({}, 1e-5), "1e-05") << "no long row of zeros";
    Axis time = linear(0, 3);
    time.unit = " µs";
    EXPECT_EQ(viz::tick_text(time, 0.5), "0.5 µs") << "only logarithmic axes have fractions";
    EXPECT_EQ(viz::tick_text(time, 2), "2 µs");
}

TEST(Axis, AScaleGoesBothWays)
{
    const viz::Scale bytes({1, 16, true, 2}, 100, 200), down(linear(0, 64), 50, 10);
    EXPECT_FLOAT_EQ(bytes.at(4), 150);
    EXPECT_DOUBLE_EQ(bytes.value_at(150), 4);
    EXPECT_FLOAT_EQ(viz::Scale({4, 64, true, 2}, 100, 200).at(16), 150) << "it begins at its least value";
    EXPECT_DOUBLE_EQ(bytes.value_at(1000), 16) << "a position beyond the axis is its end";
    EXPECT_FLOAT_EQ(down.at(16), 40);
    EXPECT_DOUBLE_EQ(down.value_at(40), 16);
}

} // namespace
