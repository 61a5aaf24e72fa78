// A value with its provenance, or the reason why it is missing.
#include "recording/measured.h"

#include <gtest/gtest.h>

namespace {

using recording::Measured;
using recording::Missing;
using recording::Provenance;
using recording::Reason;

TEST(Measured, HasAValueAndWhereItComesFrom)
{
    const Provenance from{.shipped = true, .device = "NVIDIA H200", .date = "2026-11-21", .problem = {{64, 64, 64}}};
    const Measured<double> speed(2.5, from);
    ASSERT_TRUE(speed);
    EXPECT_EQ(*speed, 2.5);
    EXPECT_EQ(speed.from(), from);
    EXPECT_THROW(speed.missing(), std::bad_variant_access);
}

TEST(Measured, OrTheReasonWhyItHasNone)
{
    const Measured<double> speed = Reason{Missing::no_gpu, {"There is no driver."}};
    EXPECT_FALSE(speed);
    EXPECT_EQ(speed.missing().arguments.at(0), "There is no driver.");
    EXPECT_THROW(*speed, std::bad_variant_access);
    EXPECT_EQ(Measured<double>().missing().missing, Missing::unknown) << "never zero";
    EXPECT_NE(Measured<double>(), Measured<double>(0, {}));
}

TEST(Measured, PassesOnBothToWhatIsMadeOfIt)
{
    const auto half = [](double value) { return static_cast<float>(value / 2); };
    const Measured<float> made = Measured<double>(3, {.device = "a GPU"}).with(half);
    EXPECT_EQ(*made, 1.5f);
    EXPECT_EQ(made.from().device, "a GPU");
    EXPECT_EQ(Measured<double>(Missing::wrong_result).with(half).missing().missing, Missing::wrong_result);
}

} // namespace
