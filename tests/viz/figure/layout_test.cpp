// Positions for texts that avoid given obstacles.
#include "viz/figure/layout.h"

#include <gtest/gtest.h>

namespace {

using viz::Box;
using viz::Obstacles;

TEST(EveryNth, IsOneWhereEachPartHasRoom)
{
    EXPECT_EQ(viz::every_nth(16, 20, 17), 1u);
    EXPECT_EQ(viz::every_nth(16, 10, 17), 2u);
    EXPECT_EQ(viz::every_nth(16, 4, 17), 8u);
    EXPECT_EQ(viz::every_nth(16, 0.1f, 17), 16u) << "the first one alone";
    EXPECT_EQ(viz::every_nth(0, 0, 17), 1u);
}

TEST(ClearPlace, IsTheMiddleWhereNothingIsInTheWay)
{
    const auto place = viz::clear_place({{0, 0}, {200, 100}}, {40, 10}, {}, 2);
    ASSERT_TRUE(place);
    EXPECT_FLOAT_EQ(place->x, 100);
    EXPECT_FLOAT_EQ(place->y, 50);
}

// The outline of a warp covers a quarter of the block, so its corner is in the middle of the block.
TEST(ClearPlace, CrossesNoOutline)
{
    const Box block{{0, 0}, {200, 200}}, warp{{0, 0}, {100, 100}};
    const auto place = viz::clear_place(block, {40, 10}, {.frames = {block, warp}, .filled = {}}, 2);
    ASSERT_TRUE(place);
    const Box words{{place->x - 20, place->y - 5}, {place->x + 20, place->y + 5}};
    EXPECT_TRUE(!words.overlaps(warp) || (words.max.x <= 100 && words.max.y <= 100));
    EXPECT_NEAR(place->x, 100, 40);
    EXPECT_NEAR(place->y, 100, 40);
}

TEST(ClearPlace, IsOutsideOfWhatIsFilled)
{
    const Box filled{{0, 0}, {200, 70}};
    const auto place = viz::clear_place({{0, 0}, {200, 100}}, {40, 10}, {.frames = {}, .filled = {filled}}, 2);
    ASSERT_TRUE(place);
    EXPECT_GE(place->y - 5, 70);
    EXPECT_FALSE(viz::clear_place({{0, 0}, {200, 75}}, {40, 10}, {.frames = {}, .filled = {filled}}, 2));
    EXPECT_FALSE(viz::clear_place({{0, 0}, {30, 100}}, {40, 10}, {}, 2)) << "the words are wider than the box";
}

} // namespace
