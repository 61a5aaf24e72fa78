// Figures and sizes as text, and text as sizes.
#include "app/text/format.h"

#include "error.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using kernels::Operation;

TEST(Format, Sizes)
{
    EXPECT_EQ(app::size_text({.M = 128, .N = 128, .K = 128}, Operation::gemm), "128³");
    EXPECT_EQ(app::size_text({.M = 128, .N = 64, .K = 1}, Operation::gemm), "128 × 64 × 1");
    EXPECT_EQ(app::size_text({.N = 1000}, Operation::vector_add), "1,000 elements");
    EXPECT_EQ(app::size_text({.M = 6, .N = 4}, Operation::thread_coords), "6 × 4");
}

TEST(Format, Figures)
{
    EXPECT_EQ(app::percent(0.6178), "61.8%");
    EXPECT_EQ(app::factor(0), "0");
    EXPECT_EQ(app::factor(0.5f), "0.5");
    EXPECT_EQ(app::block_text({3, 1, 0}), "(3,1)");
    EXPECT_EQ(app::block_text({3, 1, 2}), "(3,1,2)");
}

TEST(Format, Ages)
{
    EXPECT_EQ(app::age(-5s), "just now");
    EXPECT_EQ(app::age(59s), "just now");
    EXPECT_EQ(app::age(60s), "1 min ago");
    EXPECT_EQ(app::age(2h), "2 h ago");
    EXPECT_EQ(app::age(72h), "3 days ago");
}

TEST(Format, ReadsTimes)
{
    const auto time = app::parse_time("1970-01-02T00:00:05Z");
    ASSERT_TRUE(time.has_value());
    EXPECT_EQ(std::chrono::system_clock::to_time_t(*time), 86405);
    EXPECT_FALSE(app::parse_time("yesterday").has_value());
    EXPECT_FALSE(app::parse_time("1970-01-02T00:00:05Z and more").has_value());
}

TEST(Format, ReadsExtents)
{
    EXPECT_EQ(app::parse_extent("128", 1024), (recording::Problem{128, 128, 128}));
    EXPECT_EQ(app::parse_extent("128x64X1", 1024), (recording::Problem{128, 64, 1}));
    EXPECT_EQ(app::parse_extent(" 12 × 34 × 56 ", 1024), (recording::Problem{12, 34, 56}));
    for (const char* wrong : {"", "0", "1025", "128x64", "1x2x3x4", "-5", "12.5", "big", "99999999999999999999"})
        EXPECT_THROW(app::parse_extent(wrong, 1024), kernels::Error) << wrong;
}

TEST(Format, ReadsCountsAndFactors)
{
    EXPECT_EQ(app::parse_count("1,000", 5000), 1000u);
    for (const char* wrong : {"", "0", "5001", "1.5", "x"})
        EXPECT_THROW(app::parse_count(wrong, 5000), kernels::Error) << wrong;
    EXPECT_EQ(app::parse_factor("-2.5"), -2.5f);
    for (const char* wrong : {"", "one", "1x", "inf", "nan", "1e99"})
        EXPECT_THROW(app::parse_factor(wrong), kernels::Error) << wrong;
}

} // namespace
