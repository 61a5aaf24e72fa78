// The areas of the window at all sizes and scales at which it must be usable.
#include "app/workspace/layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using app::Area;
using app::Layout;
using app::LayoutInput;
using app::Panels;

bool overlap(const Area& a, const Area& b)
{
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

class Layouts : public testing::TestWithParam<LayoutInput> {};

TEST_P(Layouts, LieInsideAndApart)
{
    const LayoutInput input = GetParam();
    Panels panels;
    if (app::is_narrow(input.width, input.scale)) // on a phone they are closed initially
        panels.ladder = panels.source = false;
    const Layout layout = app::arrange(input, panels);
    const std::vector<Area> areas = {layout.top,  layout.class_bar, layout.ladder,   layout.column,
                                     layout.view, layout.source,    layout.timeline, layout.status};
    for (std::size_t i = 0; i < areas.size(); ++i) {
        EXPECT_GE(areas[i].x, 0);
        EXPECT_GE(areas[i].y, 0);
        EXPECT_LE(areas[i].right(), input.width + 0.01f);
        EXPECT_LE(areas[i].bottom(), input.height + 0.01f);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(overlap(areas[i], areas[j])) << i << " and " << j;
    }
    EXPECT_GE(layout.view.width, app::least_view_width * input.scale - 0.01f);
    EXPECT_GE(layout.view.height, 200 * input.scale);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, Layouts,
    testing::Values(LayoutInput{.width = 800, .height = 600},
                    LayoutInput{.width = 800, .height = 600, .timeline_bars = 2},
                    LayoutInput{.width = 800, .height = 600, .source_first = true},
                    LayoutInput{.width = 1024, .height = 700}, LayoutInput{.width = 1600, .height = 1000},
                    LayoutInput{.width = 1600, .height = 1000, .scale = 2},
                    LayoutInput{.width = 1536, .height = 1050, .scale = 1.5f},
                    LayoutInput{.width = 1280, .height = 800, .column = true, .class_bar = true},
                    LayoutInput{.width = 1075, .height = 2400, .scale = 2.15f},
                    LayoutInput{.width = 1075, .height = 2400, .scale = 2.15f, .column = true, .class_bar = true}));

TEST(Layout, APhonesColumnIsBelowThePicture)
{
    const Panels closed{.ladder = false, .source = false};
    const Layout layout = app::arrange({.width = 500, .height = 1110, .column = true}, closed);
    EXPECT_EQ(layout.column.width, 500);
    EXPECT_GE(layout.column.y, layout.view.bottom());
    EXPECT_GE(layout.view.width, app::least_view_width);
    EXPECT_GE(layout.view.height, layout.column.height);
}

TEST(Layout, ShowsBothSidesWhereThereIsRoom)
{
    const Layout layout = app::arrange({.width = 1024, .height = 700}, {});
    EXPECT_TRUE(layout.ladder_open);
    EXPECT_TRUE(layout.source_open);
}

TEST(Layout, KeepsTheSideThatWasOpenedLast)
{
    EXPECT_TRUE(app::arrange({.width = 800, .height = 600}, {}).ladder_open);
    EXPECT_FALSE(app::arrange({.width = 800, .height = 600}, {}).source_open);
    EXPECT_TRUE(app::arrange({.width = 800, .height = 600, .source_first = true}, {}).source_open);
    EXPECT_FALSE(app::arrange({.width = 800, .height = 600, .source_first = true}, {}).ladder_open);
}

// At 1280 x 800 and scale 2, views of two stages would be cut off, so the scale is reduced.
TEST(Layout, TypeGivesWayToAWindowThatIsTooSmall)
{
    using app::fitting_scale;
    EXPECT_EQ(fitting_scale(2, 1600, 1000), 2);
    EXPECT_FLOAT_EQ(fitting_scale(2, 1280, 800), 1.6f);
    EXPECT_FLOAT_EQ(fitting_scale(3, 1650, 1100), 2) << "rounded down to a multiple of 0.1";
    EXPECT_EQ(fitting_scale(2, 300, 200), 1);
    EXPECT_EQ(fitting_scale(0.5f, 300, 200), 0.5f) << "the chosen scale";
}

} // namespace
