// The visible part of a time axis, with zooms computed by hand.
#include "viz/draw/camera.h"

#include <gtest/gtest.h>

namespace {

using viz::TimeWindow;

constexpr TimeWindow::Limits limits{.whole = 100, .least = 10};

TEST(TimeWindow, ZoomsAroundAPlaceThatStaysWhereItIs)
{
    TimeWindow window{0, 100};
    window.zoom(2, 25, limits); // a quarter from the left, before and after
    EXPECT_EQ(window, (TimeWindow{12.5, 62.5}));
    window.zoom(1000, 25, limits);
    EXPECT_DOUBLE_EQ(window.span(), 10) << "the shortest span";
    window.zoom(1e-6, 25, limits);
    EXPECT_EQ(window, (TimeWindow{0, 100})) << "not longer than the whole time";
}

TEST(TimeWindow, StaysWithinTheTimeThatThereIs)
{
    TimeWindow window{80, 100};
    window.move(50, limits);
    EXPECT_EQ(window, (TimeWindow{80, 100}));
    window.move(-200, limits);
    EXPECT_EQ(window, (TimeWindow{0, 20}));
    TimeWindow short_one{0, 4};
    short_one.zoom(2, 1, {.whole = 4, .least = 10});
    EXPECT_EQ(short_one, (TimeWindow{0, 4})) << "a whole time below the shortest span is shown completely";
}

} // namespace
