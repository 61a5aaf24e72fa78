// Several steps of a warp. Each number of a lane is either readable or absent.
#include "tests/viz/figure/figure_fixture.h"
#include "viz/figure/lane_strip.h"

#include <set>

namespace {

using namespace viz;
using namespace test_figures;

class LaneStepsTest : public FigureTest {
protected:
    // Returns the printed lane numbers.
    std::multiset<std::string> numbers(float width)
    {
        LaneSteps steps{.id = "branch", .title = "both sides", .now = 0};
        for (const uint32_t mask : {0xffffffffu, 0x11111111u, 0xeeeeeeeeu})
            steps.steps.push_back({"line 8", mask});
        draw(lane_steps(theme, steps, {{0, 0}, {width, 300}}));
        std::multiset<std::string> found;
        for (const std::string& one : drawing.words)
            if (one.size() <= 2)
                found.insert(one);
        return found;
    }
};

TEST_F(LaneStepsTest, HaveANumberInEachCellWhereThereIsRoom)
{
    const auto found = numbers(900);
    EXPECT_EQ(found.size(), 3u * 32);
    EXPECT_EQ(found.count("31"), 3u);
}

// If only the numbers of one digit were printed, there would seem to be ten lanes.
TEST_F(LaneStepsTest, HaveEveryFourthNumberAboveTheCellsWhereThereIsNone)
{
    const auto found = numbers(500);
    EXPECT_EQ(found, (std::multiset<std::string>{"0", "4", "8", "12", "16", "20", "24", "28"}));
    expect_words_apart();
    EXPECT_EQ(numbers(330).count("10"), 0u);
    expect_words_apart();
    EXPECT_TRUE(has_mark("step 2 lanes"));
    EXPECT_EQ(mark("step 2 lanes").value, 24);
}

} // namespace
