// The parts around the marks of a panel, and clicks: origin marks, headings, legends.
#include "tests/viz/figure/figure_fixture.h"
#include "viz/figure/lane_strip.h"

namespace {

using namespace viz;
using namespace test_figures;
using PanelTest = FigureTest;

const Box box_of_panel{{100, 100}, {500, 300}};

// Expects the ring of a derived number after these words and before `before`. It is as high as the words.
void expect_ring_behind(const Drawing& drawing, const Marks::Words& words, float before)
{
    ASSERT_EQ(drawing.rings.size(), 1u);
    EXPECT_GT(drawing.rings[0].x, words.max.x);
    EXPECT_LT(drawing.rings[0].x, before);
    EXPECT_GT(drawing.rings[0].y, words.min.y);
    EXPECT_LT(drawing.rings[0].y, words.max.y);
}

TEST_F(PanelTest, AnOriginStandsBehindWhatItIsOf)
{
    draw(Panel{.id = "p", .box = box_of_panel, .title = "sectors", .origin = NumberOrigin::derived});
    expect_ring_behind(drawing, words("sectors"), words("sectors").max.x + 20);

    BarLayer bars;
    bars.bars.push_back({.name = "hits", .parts = {{"", 8.0, "8", red}}, .origin = NumberOrigin::derived});
    draw(bars);
    expect_ring_behind(drawing, words("hits"), mark("hits").min.x);

    LaneLayer lanes{.time = {.least = 0, .most = 100, .logarithmic = false}};
    lanes.rows.push_back({.count = 1,
                          .at =
                              [](std::size_t) {
                                  return LaneLayer::Interval{0, 100, red};
                              },
                          .words = [](std::size_t) { return "19 us"; },
                          .origin = [](std::size_t) { return NumberOrigin::derived; }});
    draw(lanes);
    expect_ring_behind(drawing, words("19 us"), words("19 us").max.x + 20);
}

TEST_F(PanelTest, ALegendHasItsEntriesInTheirOrder)
{
    draw(Panel{.id = "p", .box = box_of_panel, .legend = {{red, "loads"}, {green, "stores"}}});
    ASSERT_EQ(marks.words.size(), 1u);
    EXPECT_LT(marks.words[0].words.find("loads"), marks.words[0].words.find("stores"));
    ASSERT_EQ(drawing.of(red).size(), 1u);
    ASSERT_EQ(drawing.of(green).size(), 1u);
    EXPECT_LT(drawing.of(red)[0].max.x, drawing.of(green)[0].min.x);
}

TEST_F(PanelTest, AClickIsToldWhichCellOrIntervalItIsOn)
{
    std::pair<uint32_t, uint32_t> cell;
    draw(CellLayer{.rows = 4,
                   .cols = 8,
                   .colour = [](uint32_t, uint32_t) { return red; },
                   .click =
                       [&](const ViewScene&, uint32_t row, uint32_t col) {
                           cell = {row, col};
                       }},
         ImVec2{100 + 5.5f * 50, 100 + 2.5f * 50});
    ASSERT_TRUE(hit && hit->click);
    hit->click(scene);
    EXPECT_EQ(cell, (std::pair{2u, 5u}));

    std::size_t interval = 9;
    LaneLayer lanes{.time = {.least = 0, .most = 40, .logarithmic = false}, .with_axis = false};
    lanes.rows.push_back(
        {.count = 4,
         .at =
             [](std::size_t i) {
                 return LaneLayer::Interval{10.0 * static_cast<double>(i), 10.0 * static_cast<double>(i) + 9};
             },
         .click = [&](const ViewScene&, std::size_t i) { interval = i; }});
    draw(lanes, ImVec2{100 + 400 * 0.6f, 200});
    ASSERT_TRUE(hit && hit->click);
    hit->click(scene);
    EXPECT_EQ(interval, 2u);
}

// The name is at the left and the headline at the right. If both together are too wide, the headline is below the name.
TEST_F(PanelTest, AHeadlineEndsWhereItsHeadingDoes)
{
    std::string hint;
    ViewFrame frame{scene, hint, theme};
    frame.marks = &marks;
    frame.surface = &drawing;
    const auto headline = [&](float width) {
        Heading heading{rich("swizzled"), rich("**{}** conflicts", 128), {}};
        heading.box = {{100, 100}, {100 + width, 100 + heading_height(theme, heading, width)}};
        marks = {};
        draw_figure({.headings = {heading}}, frame);
        return marks.widgets.at(0);
    };
    EXPECT_NEAR(headline(400).max.x, 500, 2);
    EXPECT_EQ(headline(400).min.y, 100);
    EXPECT_EQ(headline(120).min.x, 100);
    EXPECT_GT(headline(120).min.y, 105);
}

// Lane 3 is selected and waits like the others. Lane 5 is inactive.
TEST_F(PanelTest, ALaneOfAStripHasItsColourAndItsClick)
{
    LaneStrip strip{.id = "lanes", .takes_part = ~(1u << 5), .chosen = 3, .colour = red, .of_chosen = green};
    uint32_t clicked = 99;
    strip.tip = [](uint32_t lane) { return rich("lane {}", lane); };
    strip.click = [&](uint32_t lane) { return [&, lane](const ViewScene&) { clicked = lane; }; };
    const Box box{{100, 100}, {1100, 130}};
    draw(lane_strip(theme, strip, box));
    EXPECT_EQ(drawing.of(red).size(), 30u);
    ASSERT_EQ(drawing.of(green).size(), 1u);
    const Box chosen = lane_in_row(theme, box, 3).value();
    EXPECT_EQ(drawing.of(green)[0].min.x, chosen.min.x);
    draw(lane_strip(theme, strip, box), chosen.middle());
    ASSERT_TRUE(hit && hit->click);
    EXPECT_EQ(tip(), "lane 3");
    hit->click(scene);
    EXPECT_EQ(clicked, 3u);
}

} // namespace
