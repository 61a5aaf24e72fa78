// Where words about an access stand: beside the words of memory that they speak of, not on them.
#include "viz/draw/draw.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using viz::draw::Box;

const ImVec2 size{40, 10};
constexpr float margin = 2;
const Box picture{{0, 0}, {100, 100}};

ImVec2 place(const std::vector<Box>& spoken_of)
{
    return viz::draw::callout_place(size, margin, picture, spoken_of);
}

TEST(CalloutPlace, IsBelowWhatItSpeaksOf)
{
    const ImVec2 at = place({{{10, 20}, {20, 30}}, {{50, 40}, {60, 50}}});
    EXPECT_EQ(at.x, 14) << "a little to the right of the first of them";
    EXPECT_EQ(at.y, 54);
}

TEST(CalloutPlace, IsAboveWhereThereIsNoRoomBelow)
{
    const ImVec2 at = place({{{90, 60}, {100, 95}}});
    EXPECT_EQ(at.y, 46);
    EXPECT_EQ(at.x, 56) << "it ends within the picture";
}

TEST(CalloutPlace, IsInTheCornerThatHidesLeast)
{
    // From top to bottom at the left, and one in the middle of the right edge's upper half.
    std::vector<Box> all;
    for (float y = 0; y < 100; y += 10)
        all.push_back({{0, y}, {10, y + 10}});
    all.push_back({{60, 5}, {70, 15}});
    const ImVec2 at = place(all);
    EXPECT_EQ(at.x, 56);
    EXPECT_EQ(at.y, 88) << "the right upper corner hides one";
}

TEST(CalloutPlace, StaysInAPictureThatIsSmaller)
{
    const ImVec2 at = viz::draw::callout_place({200, 10}, margin, picture, std::vector<Box>{picture});
    EXPECT_EQ(at.x, 2);
}

} // namespace
