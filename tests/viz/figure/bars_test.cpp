// Bars: their lengths, numbers, names and limits, and finding their parts with the mouse.
#include "tests/viz/figure/figure_fixture.h"

#include <cmath>

namespace {

using namespace viz;
using namespace test_figures;

BarLayer two_bars()
{
    BarLayer bars{.name = "share"};
    bars.bars.push_back({.name = "long", .parts = {{"", 8.0, "8", red}}, .tip = [] { return rich("the long one"); }});
    bars.bars.push_back(
        {.name = "short", .parts = {{"", 2.0, "2", green}}, .tip = [] { return rich("the short one"); }});
    return bars;
}

TEST_F(FigureTest, BarsAreAsLongAsTheirValues)
{
    draw(two_bars());
    EXPECT_NEAR(width(mark("share:short")) / width(mark("share:long")), 0.25, 0.01);
    EXPECT_EQ(mark("share:long").value, 8);
    EXPECT_EQ(mark("share:long").colour, red);
    EXPECT_EQ(drawing.of(red).size(), 1u);
    EXPECT_EQ(mark("share:short").label, "2");
    BarLayer on_a_scale = two_bars();
    on_a_scale.most = 16;
    draw(on_a_scale);
    const float half = width(mark("share:long"));
    on_a_scale.most = 8;
    draw(on_a_scale);
    EXPECT_NEAR(half / width(mark("share:long")), 0.5, 0.01);
    on_a_scale.on_ground = true;
    draw(on_a_scale);
    EXPECT_NEAR(width(mark("share:long")), drawing.of(draw::empty_colour(theme))[0].width(), 1) << "all of the ground";
}

// On a logarithmic axis from 1 to 100 a bar of 10 ends in the middle. The ticks are below the bars.
TEST_F(FigureTest, BarsEndWhereTheirAxisSays)
{
    BarLayer bars = two_bars();
    bars.bars[0].parts[0].value = 100;
    bars.bars[1].parts[0].value = 10;
    bars.axis = Axis{.least = 1, .most = 100};
    draw(bars);
    EXPECT_NEAR(width(mark("share:short")) / width(mark("share:long")), 0.5, 0.01);
    const Marks::Words ten = words("10");
    EXPECT_NEAR((ten.min.x + ten.max.x) / 2, mark("share:short").max.x, 1);
    EXPECT_GE(ten.min.y, mark("share:short").max.y);
    EXPECT_LE(words("100").max.y, 300);
    bars.bars[1].parts[0].value = 0.1;
    draw(bars);
    EXPECT_LE(width(mark("share:short")), 1) << "a value below the axis has no bar";
    EXPECT_EQ(mark("share:short").value, 0.1);
}

TEST_F(FigureTest, AMissingBarIsNoZero)
{
    BarLayer bars = two_bars();
    bars.bars[1].parts[0].value.reset();
    draw(bars);
    EXPECT_FALSE(mark("share:short").value.has_value());
    EXPECT_TRUE(drawing.of(green).empty());
    EXPECT_TRUE(drawing.says("-"));
    bars.bars[1].parts[0].value = 0;
    draw(bars);
    EXPECT_EQ(mark("share:short").value, 0);
    EXPECT_FALSE(drawing.says("-"));
}

// A file may contain any value, and the number of boxes must not grow with it.
TEST_F(FigureTest, ABarOfAnyValueIsFewBoxes)
{
    for (const bool stacked : {false, true}) {
        BarLayer bars = two_bars();
        bars.stacked = bars.on_ground = stacked;
        bars.most = 1.8e19;
        bars.bars[0].parts[0].value = 1.8e19;
        bars.bars[1].parts[0].value = 0.9e19;
        draw(bars);
        EXPECT_LT(drawing.boxes.size(), 10u);
        EXPECT_NEAR(width(mark("share:short")) / width(mark("share:long")), 0.5, 0.01);
    }
}

TEST_F(FigureTest, StackedPartsFollowEachOther)
{
    BarLayer bars{.name = "b", .stacked = true};
    bars.bars.push_back({.name = "all", .parts = {{"first", 3.0, "", red}, {"second", 1.0, "", green}}});
    draw(bars);
    EXPECT_EQ(mark("b:all first").max.x, mark("b:all second").min.x);
    EXPECT_NEAR(width(mark("b:all first")) / width(mark("b:all second")), 3, 0.05);
    bars.stacked = false;
    draw(bars);
    EXPECT_EQ(mark("b:all first").min.x, mark("b:all second").min.x) << "each from the beginning";
    EXPECT_LE(mark("b:all first").max.y, mark("b:all second").min.y);
}

// Returns a layer whose rows have a bar for each of two stages. Each row has its own scale.
BarLayer pairs()
{
    BarLayer bars{.name = "pair", .own_scales = true, .numbers = BarLayer::Numbers::in_columns};
    bars.bars.push_back({.name = "of both"}); // the heading of a row
    bars.bars.push_back({.name = "loads", .parts = {{"0", 8.0, "8.00", red}, {"1", 4.0, "4.00", green}}});
    bars.bars.push_back({.name = "bytes", .parts = {{"0", 500.0, "500", red}, {"1", 1000.0, "1,000", green}}});
    return bars;
}

TEST_F(FigureTest, NumbersStandInColumnsBeforeBarsOnScalesOfTheirOwn)
{
    draw(pairs());
    EXPECT_NEAR(width(mark("pair:loads 0")), width(mark("pair:bytes 1")), 1) << "the longest of its row";
    EXPECT_NEAR(width(mark("pair:loads 1")) / width(mark("pair:loads 0")), 0.5, 0.01);
    EXPECT_EQ(words("8.00").max.x, words("500").max.x);
    EXPECT_EQ(words("4.00").max.x, words("1,000").max.x);
    EXPECT_LT(words("8.00").max.x, words("4.00").min.x);
    EXPECT_LT(words("4.00").max.x, mark("pair:loads 0").min.x);
    EXPECT_LE(words("of both").max.y, words("loads").min.y) << "a heading has a line of its own";
    BarLayer bars = pairs();
    bars.bars[1].parts[0].value.reset();
    bars.bars[1].missing = "not timed";
    draw(bars);
    EXPECT_FALSE(has_mark("pair:loads 1")) << "there is nothing to compare it with";
    EXPECT_TRUE(drawing.says("not timed"));
    EXPECT_TRUE(drawing.says("4.00"));
    const float least = bars_height(theme, bars);
    bars.bars.insert(bars.bars.end(), 20, bars.bars[2]);
    EXPECT_GT(bars_height(theme, bars), 4 * least);
}

TEST_F(FigureTest, ANumberNeverLiesAcrossTheEndOfAGround)
{
    BarLayer bars{.name = "work", .names = BarLayer::Names::above};
    bars.bars.push_back(
        {.name = "time", .parts = {{.value = 100.0, .words = "100 cycles", .colour = red, .ground = 100}}});
    bars.bars.push_back(
        {.name = "short", .parts = {{.value = 10.0, .words = "10 cycles", .colour = red, .ground = 100}}});
    bars.bars.push_back(
        {.name = "near", .parts = {{.value = 90.0, .words = "90 cycles", .colour = red, .ground = 100}}});
    draw(bars);
    const float end = mark("work:time").max.x;
    EXPECT_LT(words("10 cycles").max.x, end) << "on the empty background";
    EXPECT_GT(words("10 cycles").min.x, mark("work:short").max.x);
    EXPECT_GT(words("90 cycles").min.x, end) << "after the background's end";
    EXPECT_LE(words("near").max.y, mark("work:near").min.y + 1) << "names stand above";
    EXPECT_NEAR(drawing.of(draw::empty_colour(theme)).front().max.x, end, 1);
}

// A part that is too short for its name has it after the bar if there is room, or else below all bars.
TEST_F(FigureTest, ShortPartsAreNamedBesideTheirBar)
{
    BarLayer bars{.name = "mix", .stacked = true};
    bars.bars.push_back(
        {.parts = {{.series = "work", .value = 40.0, .words = "work 98%", .colour = red, .id = "work 0"},
                   {.series = "rest", .value = 1.0, .words = "rest 2%", .colour = green, .id = "rest 0"}},
         .tip = [] { return rich("the bar"); }});
    bars.bars.push_back(
        {.parts = {{.series = "work", .value = 99.0, .words = "work 99%", .colour = red, .id = "work 1"},
                   {.series = "waste", .value = 1.0, .words = "waste 1%", .colour = blue, .id = "waste 1"}}});
    bars.bars[0].parts[1].tip = [] { return rich("the rest"); };
    bars.foot = rich("less waste");
    draw(bars);
    const Marks::Drawn name = mark("mix name:rest 0"), part = mark("mix:rest 0");
    EXPECT_GT(name.min.x, part.max.x);
    EXPECT_LT(name.min.y, part.max.y) << "beside it";
    EXPECT_FALSE(has_mark("mix name:work 0")) << "the part has room for its words";
    EXPECT_FALSE(has_mark("mix name:waste 1")) << "there is no room after the longest bar";
    EXPECT_TRUE(std::ranges::any_of(marks.words, [](const Marks::Words& one) {
        return one.words.starts_with("less waste") && one.words.ends_with("waste");
    })) << "so it is named below";
    draw(bars, ImVec2{(part.min.x + part.max.x) / 2, (part.min.y + part.max.y) / 2});
    EXPECT_EQ(tip(), "the rest");
    const Marks::Drawn work = mark("mix:work 0");
    draw(bars, ImVec2{(work.min.x + work.max.x) / 2, (work.min.y + work.max.y) / 2});
    EXPECT_EQ(tip(), "the bar");
}

TEST_F(FigureTest, ALimitStandsWhereABarOfItsValueEnds)
{
    BarLayer bars = two_bars();
    bars.bars[0].limits = {{.name = "limit", .value = 2}};
    draw(bars);
    EXPECT_NEAR(mark("limit").max.x, mark("share:short").max.x, 1);
}

TEST_F(FigureTest, OnlyBarsThatHaveRoomAreDrawn)
{
    BarLayer bars{.name = "b"};
    for (int i = 0; i < 100; ++i)
        bars.bars.push_back({.name = std::to_string(i), .parts = {{"", 1.0, "1", red}}});
    draw(bars);
    EXPECT_TRUE(has_mark("b:0"));
    EXPECT_FALSE(has_mark("b:99"));
    for (const Marks::Words& one : marks.words)
        EXPECT_FALSE(one.cut) << one.words;
}

TEST_F(FigureTest, ABarIsFoundInAllOfItsRow)
{
    draw(two_bars());
    const Marks::Drawn shorter = mark("share:short");
    draw(two_bars(), ImVec2{480, (shorter.min.y + shorter.max.y) / 2});
    EXPECT_EQ(tip(), "the short one");
    draw(two_bars(), ImVec2{480, 800});
    EXPECT_FALSE(hit);
}

} // namespace
