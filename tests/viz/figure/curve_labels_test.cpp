// Labels that have no room beside their point are at the end of a line.
#include "tests/viz/figure/figure_fixture.h"

namespace {

using namespace viz;
using namespace test_figures;

// Two points with names, at nearly the same place and among points without names.
CurveLayer crowded()
{
    CurveLayer layer{.name = "chart",
                     .right = {.least = 0, .most = 10, .logarithmic = false},
                     .up = {.least = 0, .most = 10, .logarithmic = false}};
    for (const auto& [name, colour, up] : {std::tuple{"first", red, 5.0}, {"second", green, 5.2}})
        layer.curves.push_back({.name = name,
                                .points = {{.right = 5, .up = up, .name = name, .label = name, .leads = true}},
                                .colour = colour,
                                .line = 0,
                                .radius = 5});
    CurveLayer::Curve others{.colour = blue, .line = 0, .radius = 4};
    for (int i = 0; i < 36; ++i)
        others.points.push_back({.right = 4.4 + 0.2 * (i % 6), .up = 4 + 0.4 * (i / 6)});
    layer.curves.push_back(others);
    return layer;
}

TEST_F(FigureTest, LabelsWithoutRoomBesideTheirPointsStandAtLines)
{
    draw(crowded());
    const Marks::Drawn first = mark("label:first"), second = mark("label:second");
    const Box a{first.min, first.max}, b{second.min, second.max};
    EXPECT_FALSE(a.overlaps(b));
    EXPECT_EQ(first.colour, red);
    EXPECT_EQ(second.colour, green);
    for (const Marks::Drawn& one : {first, second}) {
        const Box words{one.min, one.max};
        for (const char* point : {"first", "second"})
            EXPECT_FALSE(words.overlaps({mark(point).min, mark(point).max})) << one.name;
        EXPECT_GE(one.min.x, 100);
        EXPECT_LE(one.max.x, 500);
    }
    const auto leads_to = [&](const Box& words) {
        return std::ranges::any_of(drawing.lines, [&](const std::vector<ImVec2>& line) {
            return line.size() == 2 && draw::around(line.back(), 4).overlaps(words);
        });
    };
    EXPECT_TRUE(leads_to(a) && leads_to(b));
}

TEST_F(FigureTest, LabelsWithRoomStayBesideTheirPoints)
{
    CurveLayer layer = crowded();
    layer.curves.pop_back();
    layer.curves[1].points[0].up = 9;
    draw(layer);
    EXPECT_FALSE(has_mark("label:first"));
    EXPECT_TRUE(drawing.says("first") && drawing.says("second"));
}

TEST_F(FigureTest, PointsThatDoNotLeadGoWithoutTheirLabels)
{
    CurveLayer layer = crowded();
    layer.curves[1].points[0].leads = false;
    draw(layer);
    EXPECT_FALSE(drawing.says("second"));
}

} // namespace
