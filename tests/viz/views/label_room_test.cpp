// Where words find room in a chart that has others, marks and lines in it.
#include "viz/views/55_roofline/label_room.h"

#include <gtest/gtest.h>

namespace {

using viz::draw::Box;

TEST(LabelRoom, IsWhereNothingStands)
{
    viz::LabelRoom room({{0, 0}, {100, 100}});
    EXPECT_TRUE(room.is_free({{10, 10}, {30, 20}}));
    EXPECT_FALSE(room.is_free({{90, 10}, {110, 20}})) << "beyond the chart";
    room.take_for_mark({{0, 0}, {5, 5}});
    room.take_for_words({{40, 40}, {60, 50}});
    EXPECT_FALSE(room.is_free({{4, 4}, {20, 10}}));
    EXPECT_FALSE(room.is_free({{50, 45}, {70, 55}}));
    room.take_for_line({10, 90}, {90, 70});
    EXPECT_FALSE(room.is_free({{45, 75}, {60, 85}})) << "it would hide the line";
    EXPECT_TRUE(room.is_free({{45, 86}, {60, 95}}));
}

TEST(LabelRoom, LinesCrossOutWordsButMarksOnlyTouch)
{
    viz::LabelRoom room({{0, 0}, {100, 100}});
    room.take_for_mark({{40, 0}, {60, 100}});
    EXPECT_FALSE(room.crosses_words({0, 50}, {100, 50}));
    room.take_for_words({{40, 40}, {60, 60}});
    EXPECT_TRUE(room.crosses_words({0, 50}, {100, 50}));
    EXPECT_TRUE(room.crosses_words({0, 0}, {100, 100}));
    EXPECT_FALSE(room.crosses_words({0, 30}, {100, 30}));
    EXPECT_FALSE(room.crosses_words({0, 50}, {30, 50})) << "it ends before";
    EXPECT_TRUE(viz::crosses({50, 0}, {50, 100}, Box{{40, 40}, {60, 60}})) << "straight down";
}

TEST(LabelRoom, KeepsLeadersApart)
{
    viz::LabelRoom room({{0, 0}, {100, 100}});
    room.take_for_leader({20, 20}, {80, 80});
    EXPECT_TRUE(room.crosses_leaders({80, 20}, {20, 80}));
    EXPECT_FALSE(room.crosses_leaders({80, 20}, {60, 40})) << "it ends before";
    EXPECT_FALSE(room.crosses_leaders({20, 40}, {60, 80})) << "beside it";
    EXPECT_FALSE(room.is_free({{40, 40}, {60, 60}})) << "words there would hide it";
}

} // namespace
