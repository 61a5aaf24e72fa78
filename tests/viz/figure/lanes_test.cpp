// The drawing of lanes over time: intervals, levels, intervals thinner than a pixel, and the cached raster.
#include "tests/viz/figure/figure_fixture.h"
#include "viz/figure/raster.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace viz;
using namespace test_figures;
using LanesTest = FigureTest;

LaneLayer lanes()
{
    static const std::vector<LaneLayer::Interval> intervals{{0, 10, red}, {20, 30, green}, {90, 100, red}};
    LaneLayer layer{.time = {.least = 0, .most = 100, .logarithmic = false}};
    layer.rows.push_back({.name = "warp",
                          .count = intervals.size(),
                          .at = [](std::size_t i) { return intervals[i]; },
                          .tip = [](std::size_t i) { return rich("interval {}", i); },
                          .id = "warp"});
    return layer;
}

TEST_F(LanesTest, IntervalsLieOnTheAxisOfTime)
{
    draw(lanes());
    const Marks::Drawn row = mark("warp");
    ASSERT_EQ(drawing.of(red).size(), 2u);
    EXPECT_NEAR(drawing.of(red)[0].min.x, row.min.x, 0.01);
    EXPECT_NEAR(drawing.of(green)[0].min.x, row.min.x + 0.2f * width(row), 0.1);
    EXPECT_NEAR(drawing.of(green)[0].max.x, row.min.x + 0.3f * width(row), 0.1);
    const auto at = [&](float share) { return ImVec2{row.min.x + share * width(row), row.min.y + 2}; };
    draw(lanes(), at(0.25f));
    EXPECT_EQ(tip(), "interval 1");
    draw(lanes(), at(0.5f));
    EXPECT_FALSE(hit) << "there is no interval";
    LaneLayer part = lanes();
    part.time = {.least = 20, .most = 30, .logarithmic = false};
    draw(part);
    EXPECT_TRUE(drawing.of(red).empty()) << "before and after what is shown";
    EXPECT_NEAR(drawing.of(green)[0].max.x - drawing.of(green)[0].min.x, width(mark("warp")), 0.1);
}

// If it fits, the number of a short copy is in the gap after it.
TEST_F(LanesTest, WordsWithoutRoomStandBesideTheirInterval)
{
    LaneLayer layer = lanes();
    layer.rows[0].words = [](std::size_t i) { return std::vector<std::string>{"first words", "second", "3"}[i]; };
    draw(layer);
    EXPECT_FALSE(drawing.says("first words") || drawing.says("second"));
    layer.rows[0].beside = true;
    draw(layer);
    EXPECT_FALSE(drawing.says("first words")) << "the next interval begins too soon";
    ASSERT_TRUE(drawing.says("second"));
    EXPECT_GE(words("second").min.x, drawing.of(green)[0].max.x);
    EXPECT_TRUE(drawing.says("3")) << "inside";
}

// A pixel that is half red and half green has a mixed colour.
TEST_F(LanesTest, WhatIsThinnerThanAPixelIsMixed)
{
    LaneLayer layer{.time = {.least = 0, .most = 100'000, .logarithmic = false}};
    layer.rows.push_back({.count = 100'000, .at = [](std::size_t i) {
                              const auto from = static_cast<double>(i);
                              return LaneLayer::Interval{from, from + 1, i % 2 == 0 ? red : green};
                          }});
    draw(layer);
    EXPECT_TRUE(drawing.of(red).empty());
    ASSERT_GT(drawing.boxes.size(), 300u);
    EXPECT_LT(drawing.boxes.size(), 800u) << "at most one box for each pixel";
    const Colour mixed = drawing.boxes[drawing.boxes.size() / 2].colour;
    EXPECT_NEAR(mixed & 0xff, 128, 8);
    EXPECT_NEAR(mixed >> 8 & 0xff, 128, 8);
}

// A wide interval covers a part of the pixel in which it ends. So there is no background between it and a thin
// interval.
TEST_F(LanesTest, APixelIsMixedOfAllThatCoverIt)
{
    draw(lanes());
    const double pixel = 100 / static_cast<double>(width(mark("warp"))); // width of a pixel, in units of the time axis
    static std::vector<LaneLayer::Interval> parts;
    parts = {{0, 10.5 * pixel, red}, {10.5 * pixel, 10.75 * pixel, blue}, {10.75 * pixel, 20 * pixel, red}};
    LaneLayer layer{.time = {.least = 0, .most = 100, .logarithmic = false}};
    layer.rows.push_back({.name = "warp", .count = parts.size(), .at = [](std::size_t i) { return parts[i]; }});
    draw(layer);
    const auto mixed = std::ranges::find_if(drawing.boxes, [](const Drawing::Filled& one) {
        return one.colour != red && one.box.max.x - one.box.min.x == 1;
    });
    ASSERT_NE(mixed, drawing.boxes.end());
    EXPECT_NEAR(mixed->colour & 0xff, 0xbf, 2);
    EXPECT_NEAR(mixed->colour >> 16 & 0xff, 0x40, 2);
    parts = {{0, 10.75 * pixel, red}, {10.75 * pixel, 11.5 * pixel, red}, {11.5 * pixel, 20 * pixel, red}};
    draw(layer);
    const auto whole_pixels = std::ranges::count_if(drawing.boxes, [](const Drawing::Filled& one) {
        return one.colour == red && one.box.max.x - one.box.min.x == 1;
    });
    EXPECT_EQ(whole_pixels, 2) << "the thin one lies in two pixels";
}

LaneLayer many_lanes(std::size_t& asked)
{
    LaneLayer layer{.time = {.least = 0, .most = 100'000, .logarithmic = false}};
    layer.rows.push_back({.name = {}, .count = 100'000, .at = [&asked](std::size_t i) {
                              ++asked;
                              const auto from = static_cast<double>(i);
                              return LaneLayer::Interval{from, from + 1, i < 50'000 ? red : green};
                          }});
    layer.kept = std::make_shared<LaneRaster>();
    return layer;
}

// Intervals are painted again only if the axis, the size or the theme changes, and not in each frame.
TEST_F(LanesTest, KeptLanesArePaintedWhereSomethingChanged)
{
    std::size_t asked = 0;
    LaneLayer layer = many_lanes(asked);
    draw(layer);
    EXPECT_GT(asked, 100'000u);
    asked = 0;
    draw(layer);
    EXPECT_LT(asked, 100u);
    const std::span<const Colour> row = layer.kept->raster.row(10);
    EXPECT_EQ(row[row.size() / 4], red);
    EXPECT_EQ(row[row.size() * 3 / 4], green);
    ASSERT_FALSE(drawing.of(red).empty()) << "a surface of rectangles shows runs of pixels";
    EXPECT_NEAR(drawing.of(red)[0].max.x - drawing.of(red)[0].min.x, static_cast<float>(row.size()) / 2, 1.1);
    layer.time.most = 50'000;
    draw(layer);
    EXPECT_GT(asked, 50'000u);
    EXPECT_TRUE(drawing.of(green).empty());
    theme.dark = !theme.dark;
    asked = 0;
    draw(layer);
    EXPECT_GT(asked, 50'000u);
}

LaneLayer level_lanes()
{
    LaneLayer layer{.time = {.least = 0, .most = 100, .logarithmic = false}};
    layer.rows.push_back({.name = {}, .count = 2, .at = [](std::size_t i) {
                              const double from = i == 0 ? 0 : 50;
                              return LaneLayer::Interval{from, from + 50, i == 0 ? red : green, i == 0 ? 1.0f : 0.25f};
                          }});
    layer.rows[0].most = "264";
    layer.rows[0].id = "row";
    layer.rows.push_back({.name = "fixed", .count = 0, .at = {}, .id = "fixed", .pixels = 30});
    return layer;
}

TEST_F(LanesTest, AnIntervalHasItsLevelAndARowItsHeight)
{
    draw(level_lanes());
    const Marks::Drawn row = mark("row"), fixed = mark("fixed");
    const Box half = drawing.of(green)[0];
    EXPECT_NEAR(half.max.y - half.min.y, (row.max.y - row.min.y) / 4, 1);
    EXPECT_EQ(half.max.y, row.max.y) << "from the bottom";
    EXPECT_NEAR(fixed.max.y - fixed.min.y, 30, 1.1);
    EXPECT_LT(words("264").max.y, words("0").min.y);
    LaneLayer wider = level_lanes();
    wider.names = 120;
    draw(wider);
    EXPECT_EQ(mark("row").min.x, 220) << "room for names where layers have one axis";
}

TEST_F(LanesTest, LanesHaveFramesLimitsAndABracket)
{
    LaneLayer layer = lanes();
    layer.name = "lanes";
    layer.frames = {{.row = 0, .from = 20, .until = 30, .colour = blue, .name = "frame"}};
    layer.limits = {{.name = "limit", .value = 50, .colour = blue, .words = "the end"}};
    layer.bracket = {.from = 90, .until = 100, .words = "tail of 10 µs", .name = "bracket"};
    draw(layer);
    const Marks::Drawn all = mark("lanes");
    EXPECT_NEAR(width(mark("frame")), 0.1f * width(all), 0.1);
    EXPECT_NEAR(mark("limit").min.x + 1, all.min.x + 0.5f * width(all), 1);
    EXPECT_GT(words("the end").min.x, mark("limit").max.x);
    EXPECT_NEAR(width(mark("bracket")), 0.1f * width(all), 0.1);
    EXPECT_LT(mark("bracket").max.y, mark("warp").min.y) << "above the rows";
    EXPECT_LT(words("tail of 10 µs").max.x, mark("bracket").min.x) << "the words do not fit above the bracket";
    layer.time = {.least = 0, .most = 40, .logarithmic = false};
    draw(layer);
    EXPECT_FALSE(has_mark("limit"));
    EXPECT_FALSE(has_mark("bracket"));
}

TEST_F(LanesTest, FramesTooNarrowToBeToldApartAreOne)
{
    LaneLayer layer = lanes();
    for (int i = 0; i < 20; ++i)
        layer.frames.push_back({.row = 0, .from = i * 1.0, .until = i + 0.5, .colour = blue, .name = "frame"});
    layer.frames.push_back({.row = 0, .from = 60, .until = 70, .colour = blue, .name = "apart"});
    draw(layer);
    EXPECT_EQ(std::ranges::count(marks.drawn, "frame", &Marks::Drawn::name), 1);
    EXPECT_NEAR(width(mark("frame")), 0.195f * width(mark("warp")), 0.2);
    EXPECT_NEAR(width(mark("apart")), 0.1f * width(mark("warp")), 0.1);
}

TEST_F(LanesTest, WordsStandInIntervalsThatHaveRoom)
{
    LaneLayer layer = lanes();
    layer.rows[0].words = [](std::size_t i) { return i == 1 ? std::string(60, 'x') : std::to_string(i); };
    draw(layer);
    EXPECT_TRUE(drawing.says("0"));
    EXPECT_TRUE(drawing.says("2"));
    EXPECT_FALSE(drawing.says(std::string(60, 'x')));
    layer.rows[0].pixels = 4;
    draw(layer);
    EXPECT_FALSE(drawing.says("2")) << "a row that is too low";
}

// Beside the cursor, shorter texts replace those that do not fit. They are in the larger part of the interval.
TEST_F(LanesTest, WordsStandBesideTheCursorAndBecomeShorter)
{
    static const std::vector<LaneLayer::Interval> one{{0, 100, red}};
    LaneLayer layer{.time = {.least = 0, .most = 100, .logarithmic = false}, .cursor = 50, .cursor_length = 5};
    layer.name = "lane";
    layer.rows.push_back({.count = 1, .at = [](std::size_t i) { return one[i]; }, .id = "warp"});
    layer.rows[0].words = [](std::size_t) { return "words"; };
    layer.rows[0].shorter = [](std::size_t) { return "w"; };
    draw(layer);
    EXPECT_LT(words("words").max.x, mark("lane cursor").min.x);
    layer.cursor = 45;
    layer.cursor_length = 8;
    draw(layer);
    EXPECT_GT(words("words").min.x, mark("lane cursor").max.x);
    layer.cursor = 0;
    layer.cursor_length = 100;
    draw(layer);
    EXPECT_TRUE(drawing.says("words")) << "through a cursor that covers all of it";
    layer.rows[0].words = [](std::size_t) { return std::string(80, 'x'); };
    draw(layer);
    EXPECT_TRUE(drawing.says("w"));
}

TEST_F(LanesTest, ARowSaysWhenItEndsAndWhatComesOfIt)
{
    LaneLayer layer = lanes();
    layer.time.most = 200;
    layer.rows[0].after = rich("100 fewer");
    draw(layer);
    EXPECT_EQ(mark("warp").value, 100);
    EXPECT_GT(words("100 fewer").min.x, mark("warp").min.x + width(mark("warp")) / 2);
    layer.time.most = 105;
    draw(layer);
    EXPECT_FALSE(drawing.says("fewer")) << "no room is left behind its end";
}

// Each interval has a name and a number. Wide ones are a pixel apart. A drag sets the time at the mouse, even outside
// of the rows.
TEST_F(LanesTest, IntervalsHaveWordsAndFollowTheButton)
{
    LaneLayer layer = lanes();
    layer.apart = true;
    layer.names = 100;
    layer.cursor = 20;
    layer.cursor_length = 10;
    layer.rows[0].words = [](std::size_t i) { return std::to_string(i + 1); };
    layer.rows[0].mark = [](std::size_t i) { return i == 2 ? std::string() : "part " + std::to_string(i); };
    double time = -1;
    layer.drag = [&](const ViewScene&, double at) { time = at; };
    draw(layer);
    EXPECT_TRUE(drawing.says("2"));
    const Marks::Drawn row = mark("warp"), part = mark("part 1"), cursor = mark("cursor");
    EXPECT_NEAR(part.max.x, row.min.x + 0.3f * width(row) - 1, 0.1);
    EXPECT_NEAR(cursor.min.x, part.min.x, 0.1);
    EXPECT_NEAR(cursor.max.x, row.min.x + 0.3f * width(row), 0.1);
    EXPECT_FALSE(has_mark("part 2"));
    const ImVec2 inside{row.min.x + 0.5f * width(row), row.min.y + 2};
    draw(layer, inside);
    EXPECT_FALSE(hit) << "there is no interval, and no button is down";
    draw(layer, ImVec2{row.max.x + 40, inside.y}, inside);
    ASSERT_TRUE(hit && hit->drag) << "a drag continues outside of the rows";
    hit->drag(scene);
    EXPECT_EQ(time, 100);
    layer.time = {.least = 25, .most = 100, .logarithmic = false};
    draw(layer);
    EXPECT_FALSE(has_mark("part 1")) << "the interval is not completely visible";
}

} // namespace
