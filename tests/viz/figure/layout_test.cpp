// The room of a figure shared among its panels.
#include "viz/figure/layout.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

TEST(Layout, SharesWhatFixedPartsLeave)
{
    const Box box{{10, 20}, {110, 220}};
    const std::vector<Box> parts = rows(box, {pixels(40), share_of_rest(1), share_of_rest(3)}, 10);
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].min.y, 20);
    EXPECT_EQ(parts[0].max.y, 60);
    EXPECT_EQ(parts[1].min.y, 70);
    EXPECT_EQ(parts[1].height(), 35);
    EXPECT_EQ(parts[2].height(), 105);
    EXPECT_EQ(parts[2].max.y, 220);
    EXPECT_EQ(parts[2].width(), 100);
}

TEST(Layout, ColumnsOfOneWidthEndWhereTheBoxDoes)
{
    const std::vector<Box> parts = columns({{0, 0}, {100, 10}}, 3, 5);
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].width(), 30);
    EXPECT_EQ(parts[2].max.x, 100);
    EXPECT_EQ(columns({{0, 0}, {100, 10}}, 1, 5)[0].width(), 100);
}

TEST(Layout, WithoutRoomNothingIsNegative)
{
    for (const Box& one : rows({{0, 0}, {10, 10}}, {pixels(40), share_of_rest()}, 4))
        EXPECT_GE(one.height(), 0);
}

} // namespace
