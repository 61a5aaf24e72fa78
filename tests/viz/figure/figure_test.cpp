// What is drawn of a figure: places that stand for values, words that neither touch nor are cut, and what the mouse is over.
#include "viz/draw/pan_zoom.h"
#include "viz/figure/draw_figure.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>

namespace {

using namespace viz;

// Keeps boxes and words; the rest is not asked for.
class Drawing final : public Surface {
public:
    using Surface::fill;
    using Surface::line;
    struct Filled {
        Box box;
        Colour colour;
    };
    std::vector<Filled> boxes;
    std::vector<std::vector<ImVec2>> lines;
    std::vector<std::string> words;

    void fill(const Box& box, Colour colour, float) override { boxes.push_back({box, colour}); }
    void outline(const Box&, Colour, float) override {}
    void line(std::span<const ImVec2> points, Colour, float, bool) override
    {
        lines.emplace_back(points.begin(), points.end());
    }
    void polygon(std::span<const ImVec2>, Colour) override {}
    void circle(ImVec2, float, Colour) override {}
    void ring(ImVec2, float, Colour, float) override {}
    void text(ImFont*, ImVec2, Colour, std::string_view what) override { words.emplace_back(what); }
    void push_clip(const Box&) override {}
    void pop_clip() override {}

    std::vector<Box> of(Colour colour) const
    {
        std::vector<Box> found;
        for (const Filled& one : boxes)
            if (one.colour == colour)
                found.push_back(one.box);
        return found;
    }
    bool says(std::string_view what) const { return std::ranges::find(words, what) != words.end(); }
};

constexpr Colour red = 0xff0000ff, green = 0xff00ff00, blue = 0xffff0000;

class FigureTest : public testing::Test {
protected:
    void SetUp() override
    {
        context = ImGui::CreateContext();
        ImGui::GetIO().Fonts->AddFontDefault();
        ImGui::GetIO().Fonts->Build();
        ImGui::GetIO().DisplaySize = {1000, 1000};
        ImGui::GetIO().IniFilename = nullptr;
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        ImGui::NewFrame();
    }
    void TearDown() override
    {
        ImGui::EndFrame();
        ImGui::DestroyContext(context);
    }

    // A panel of 400 x 200 from (100, 100) on.
    // `pressed`: where the button went down, which is still held.
    void draw(Layer layer, std::optional<ImVec2> pointer = {}, std::optional<ImVec2> pressed = {})
    {
        drawing = {};
        marks = {};
        Figure figure;
        figure.panels.push_back({.id = "panel", .box = {{100, 100}, {500, 300}}, .layers = {std::move(layer)}});
        Painter painter(drawing, theme, pointer, &marks);
        if (pressed)
            painter.held_since(*pressed);
        paint(painter, figure);
        hit = painter.hit();
    }

    const Marks::Drawn& mark(std::string_view name) const
    {
        const auto found = std::ranges::find(marks.drawn, name, &Marks::Drawn::name);
        if (found == marks.drawn.end())
            throw std::runtime_error("no mark " + std::string(name));
        return *found;
    }
    const Marks::Words& words(std::string_view what) const
    {
        const auto found = std::ranges::find(marks.words, what, &Marks::Words::words);
        if (found == marks.words.end())
            throw std::runtime_error("no words " + std::string(what));
        return *found;
    }
    bool has_mark(std::string_view name) const
    {
        return std::ranges::find(marks.drawn, name, &Marks::Drawn::name) != marks.drawn.end();
    }
    static float width(const Marks::Drawn& one) { return one.max.x - one.min.x; }
    std::string tip() const { return hit && hit->tip ? plain(hit->tip()) : ""; }

    ImGuiContext* context = nullptr;
    Theme theme = make_theme(true, 1);
    Drawing drawing;
    Marks marks;
    std::optional<Hit> hit;
};

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
    EXPECT_EQ(mark("share:short").label, "2");
    BarLayer on_a_scale = two_bars();
    on_a_scale.most = 16;
    draw(on_a_scale);
    const float half = width(mark("share:long"));
    on_a_scale.most = 8;
    draw(on_a_scale);
    EXPECT_NEAR(half / width(mark("share:long")), 0.5, 0.01);
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

// A bar for each of two stages in a row, on the row's own scale.
BarLayer pairs()
{
    BarLayer bars{.name = "pair", .own_scales = true, .numbers = BarLayer::Numbers::in_columns};
    bars.bars.push_back({.name = "of both"}); // a heading
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
    EXPECT_LT(words("10 cycles").max.x, end) << "on the ground";
    EXPECT_GT(words("10 cycles").min.x, mark("work:short").max.x);
    EXPECT_GT(words("90 cycles").min.x, end) << "behind it";
    EXPECT_LE(words("near").max.y, mark("work:near").min.y + 1) << "names stand above";
    EXPECT_NEAR(drawing.of(draw::empty_colour(theme)).front().max.x, end, 1);
}

// What is too short for its words has them behind the bar, where that leaves room; else below all bars.
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
    EXPECT_FALSE(has_mark("mix name:work 0")) << "its words are in it";
    EXPECT_FALSE(has_mark("mix name:waste 1")) << "its bar is the longest";
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

CellLayer board()
{
    return {
        .name = "board",
        .rows = 4,
        .cols = 8,
        .colour = [](uint32_t row, uint32_t col) { return row == 3               ? Colour{0}
                                                          : (row + col) % 2 == 0 ? red
                                                                                 : green; },
        .value = [](uint32_t row, uint32_t col) { return 10.0 * row + col; },
        .words = [](uint32_t row, uint32_t col) { return std::to_string(10 * row + col); },
        .widest = "00",
        .tip = [](uint32_t row, uint32_t col) { return rich("{} {}", row, col); }};
}

TEST_F(FigureTest, CellsLieInRowsAndColumns)
{
    draw(board());
    EXPECT_EQ(mark("board(1,2)").value, 12);
    EXPECT_EQ(mark("board(1,2)").colour, green);
    EXPECT_EQ(mark("board(1,2)").label, "12");
    EXPECT_NEAR(mark("board(1,2)").min.x, 200, 0.01);
    EXPECT_NEAR(mark("board(1,2)").min.y, 150, 0.01);
    EXPECT_FALSE(has_mark("board(3,0)")) << "there is no such cell";
    EXPECT_EQ(drawing.of(red).size() + drawing.of(green).size(), 24u);
}

TEST_F(FigureTest, ThePointedCellIsFound)
{
    draw(board(), ImVec2{201, 151});
    EXPECT_EQ(tip(), "1 2");
    draw(board(), ImVec2{499, 249});
    EXPECT_EQ(tip(), "2 7");
    draw(board(), ImVec2{499, 299});
    EXPECT_FALSE(hit) << "no cell";
}

// 64 columns of one colour and 64 of another are two boxes in each run of equal rows, and cover what single cells would.
TEST_F(FigureTest, CellsThatTouchAreDrawnAsOne)
{
    CellLayer cells{.rows = 128, .cols = 128, .colour = [](uint32_t row, uint32_t col) {
                        return row < 64 && col < 64 ? red : row < 64 ? green : blue;
                    }};
    draw(cells);
    ASSERT_EQ(drawing.of(red).size(), 1u);
    ASSERT_EQ(drawing.of(blue).size(), 1u);
    EXPECT_NEAR(drawing.of(red)[0].max.x, 300, 0.01);
    EXPECT_NEAR(drawing.of(blue)[0].min.y, 200, 0.01);
    EXPECT_NEAR(drawing.of(blue)[0].max.x, 500, 0.01);
}

TEST_F(FigureTest, NumbersAreInCellsThatHaveRoomForThem)
{
    draw(board());
    EXPECT_TRUE(drawing.says("12"));
    CellLayer small = board();
    small.cols = 100;
    draw(small);
    EXPECT_TRUE(drawing.words.empty());
}

CurveLayer chart()
{
    CurveLayer layer{.name = "chart",
                     .right = {.least = 0, .most = 10, .logarithmic = false},
                     .up = {.least = 1, .most = 100, .base = 10}};
    layer.curves.push_back({.name = "c",
                            .points = {{0, 1, "low", "first", [] { return rich("low"); }},
                                       {10, 100, "high", "last", [] { return rich("high"); }},
                                       {5, 10, "middle", "", [] { return rich("middle"); }}},
                            .colour = red,
                            .radius = 4});
    return layer;
}

TEST_F(FigureTest, PointsStandWhereTheAxesSay)
{
    draw(chart());
    const Marks::Drawn area = mark("chart");
    const auto middle = [&](const char* name) {
        return ImVec2{(mark(name).min.x + mark(name).max.x) / 2, (mark(name).min.y + mark(name).max.y) / 2};
    };
    EXPECT_NEAR(middle("low").x, area.min.x, 0.01);
    EXPECT_NEAR(middle("low").y, area.max.y, 0.01);
    EXPECT_NEAR(middle("high").x, area.max.x, 0.01);
    EXPECT_NEAR(middle("middle").x, (area.min.x + area.max.x) / 2, 0.01);
    EXPECT_NEAR(middle("middle").y, (area.min.y + area.max.y) / 2, 0.01) << "10 is half way from 1 to 100";
    draw(chart(), ImVec2{middle("middle").x + 5, middle("middle").y - 5});
    EXPECT_EQ(tip(), "middle");
    draw(chart(), ImVec2{middle("middle").x + 40, middle("middle").y});
    EXPECT_EQ(tip(), "");
}

// Points below each other, closer than a line of text: a label between them would hide one.
TEST_F(FigureTest, ALabelHidesNoPointOfItsChart)
{
    CurveLayer layer{.name = "chart",
                     .right = {.least = 0, .most = 10, .logarithmic = false},
                     .up = {.least = 0, .most = 10, .logarithmic = false}};
    CurveLayer::Curve curve{.name = "c", .colour = red, .radius = 4};
    for (int i = 0; i < 40; ++i)
        curve.points.push_back({1 + 0.2 * i, 5 + (i % 2 == 0 ? 0.5 : -0.5), "point " + std::to_string(i), "name"});
    layer.curves.push_back(curve);
    draw(layer);
    std::size_t labels = 0;
    for (const auto& one : marks.words) {
        if (one.words != "name")
            continue;
        ++labels;
        for (int i = 0; i < 40; ++i) {
            const Marks::Drawn point = mark("point " + std::to_string(i));
            EXPECT_FALSE((Box{one.min, one.max}.overlaps({point.min, point.max}))) << i;
        }
    }
    EXPECT_GT(labels, 3u);
    EXPECT_LT(labels, 40u) << "where there is no room, there is no label";
}

TEST_F(FigureTest, AChartSaysWhatItsPlaceMeansAndIsDragged)
{
    CurveLayer layer = chart();
    double said = 0;
    layer.tip = [&](double value, double) {
        said = value;
        return rich("here");
    };
    layer.drag = [](const ViewScene&, double) {};
    draw(layer);
    const Marks::Drawn area = mark("chart");
    const ImVec2 inside{area.min.x + 0.25f * width(area), area.min.y + 10}, beyond{area.max.x + 30, area.min.y + 10};
    draw(layer, inside);
    EXPECT_EQ(tip(), "here");
    EXPECT_NEAR(said, 2.5, 0.05);
    EXPECT_FALSE(hit->drag) << "the button is up";
    draw(layer, inside, inside);
    EXPECT_TRUE(hit->drag);
    draw(layer, beyond, inside);
    ASSERT_TRUE(hit) << "it goes on beyond the axes";
    EXPECT_EQ(tip(), "here");
    EXPECT_NEAR(said, 10, 0.01) << "at their end";
    draw(layer, inside, ImVec2{area.min.x, area.min.y - 20});
    EXPECT_FALSE(hit->drag) << "it was pressed above the chart";
}

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

TEST_F(FigureTest, IntervalsLieOnTheAxisOfTime)
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
    EXPECT_FALSE(hit) << "nothing is there";
    LaneLayer part = lanes();
    part.time = {.least = 20, .most = 30, .logarithmic = false};
    draw(part);
    EXPECT_TRUE(drawing.of(red).empty()) << "before and after what is shown";
    EXPECT_NEAR(drawing.of(green)[0].max.x - drawing.of(green)[0].min.x, width(mark("warp")), 0.1);
}

// A pixel that a red and a green half share is neither.
TEST_F(FigureTest, WhatIsThinnerThanAPixelIsMixed)
{
    LaneLayer layer{.time = {.least = 0, .most = 100'000, .logarithmic = false}};
    layer.rows.push_back({.count = 100'000, .at = [](std::size_t i) {
                              const auto from = static_cast<double>(i);
                              return LaneLayer::Interval{from, from + 1, i % 2 == 0 ? red : green};
                          }});
    draw(layer);
    EXPECT_TRUE(drawing.of(red).empty());
    ASSERT_GT(drawing.boxes.size(), 300u);
    EXPECT_LT(drawing.boxes.size(), 800u) << "one for each pixel";
    const Colour mixed = drawing.boxes[drawing.boxes.size() / 2].colour;
    EXPECT_NEAR(mixed & 0xff, 128, 8);
    EXPECT_NEAR(mixed >> 8 & 0xff, 128, 8);
}

TEST_F(FigureTest, LabelsNeverTouch)
{
    LabelLayer layer;
    for (int i = 0; i < 40; ++i)
        layer.labels.push_back({.words = "label", .at = {150 + static_cast<float>(i) * 7, 200}});
    draw(layer);
    EXPECT_GT(marks.words.size(), 8u) << "above, below and beside";
    EXPECT_LT(marks.words.size(), 40u);
    for (std::size_t a = 0; a < marks.words.size(); ++a)
        for (std::size_t b = a + 1; b < marks.words.size(); ++b) {
            const Box one{marks.words[a].min, marks.words[a].max}, other{marks.words[b].min, marks.words[b].max};
            EXPECT_FALSE(one.overlaps(other)) << a << " and " << b;
        }
}

TEST_F(FigureTest, ALabelStaysWithinItsPanelOrGoes)
{
    draw(LabelLayer{{{.words = "at the edge", .at = {499, 200}}, {.words = "outside", .at = {900, 900}}}});
    ASSERT_EQ(marks.words.size(), 1u);
    EXPECT_LE(marks.words[0].max.x, 500);
    EXPECT_FALSE(marks.words[0].cut);
    draw(LabelLayer{{{.words = "whatever there is", .at = {499, 200}, .side = Label::Side::right, .must = true}}});
    ASSERT_EQ(marks.words.size(), 1u);
    EXPECT_TRUE(marks.words[0].cut);
}

TEST_F(FigureTest, ATitleIsShortenedBeforeItIsCut)
{
    Figure figure;
    figure.panels.push_back({.id = "narrow",
                             .box = {{0, 0}, {100, 50}},
                             .title = "a title that is too long for its panel",
                             .figure = rich("**12**")});
    Painter painter(drawing, theme, {}, &marks);
    paint(painter, figure);
    ASSERT_EQ(marks.words.size(), 1u) << "its number goes";
    EXPECT_TRUE(marks.words[0].words.ends_with("..."));
    EXPECT_TRUE(marks.words[0].shortened);
    EXPECT_FALSE(marks.words[0].cut);
    EXPECT_LE(marks.words[0].max.x, 100);
}

TEST_F(FigureTest, AWayIsFoundNearIt)
{
    ShapeLayer layer;
    layer.shapes.push_back(said_of({.kind = Shape::Kind::line, .points = {{150, 150}, {250, 250}}, .stroke = red},
                                   {.name = "way", .value = 3, .tip = [] { return rich("a word"); }}));
    draw(layer, ImVec2{202, 200});
    EXPECT_EQ(tip(), "a word");
    EXPECT_EQ(mark("way").value, 3);
    draw(layer, ImVec2{240, 160});
    EXPECT_FALSE(hit) << "within its bounds, and far from it";
}

TEST_F(FigureTest, ACurveIsDrawnAndFoundWhereItsPointsPullIt)
{
    const std::vector<ImVec2> points{{150, 150}, {150, 250}, {350, 250}, {350, 150}};
    const ShapeLayer layer{{said_of({.kind = Shape::Kind::curve, .points = points, .stroke = red},
                                    {.tip = [] { return rich("a way"); }})}};
    const ImVec2 middle = curve_at(points, 0.5f);
    EXPECT_NEAR(middle.x, 250, 0.01);
    EXPECT_NEAR(middle.y, 225, 0.01) << "three quarters of the way to the points that pull it";
    draw(layer, middle);
    EXPECT_EQ(tip(), "a way");
    ASSERT_EQ(drawing.lines.size(), 1u);
    EXPECT_EQ(drawing.lines[0].front().x, 150);
    EXPECT_EQ(drawing.lines[0].back().x, 350);
    draw(layer, ImVec2{250, 150});
    EXPECT_FALSE(hit) << "on the straight line between its ends";
}

MatrixLayer matrix(float cell)
{
    return {.name = "matrix",
            .frame = {{100, 100}, cell, plain_shape(4, 5)},
            .parts = {{{{1, 2, 2, 1}}, red, 2}},
            .value =
                [](const Cell& at) {
                    return draw::NamedValue{"", std::to_string(10 * at.row + at.col), blue, false};
                },
            .widest = "00",
            .tip = [](const Cell& at) { return rich("{} {}", at.row, at.col); },
            .click = [](const Cell& at) { return at.col == 0 ? Action([](const ViewScene&) {}) : Action(); }};
}

TEST_F(FigureTest, PartsOfAMatrixLieToScale)
{
    draw(matrix(10));
    EXPECT_EQ(width(mark("matrix")), 50);
    ASSERT_EQ(drawing.of(red).size(), 1u);
    const Box part = drawing.of(red)[0];
    EXPECT_EQ(part.min.x, 120);
    EXPECT_EQ(part.max.x, 130);
    EXPECT_EQ(part.min.y, 110);
    EXPECT_EQ(part.max.y, 130);
    draw(matrix(0.1f));
    ASSERT_EQ(drawing.of(red).size(), 1u);
    EXPECT_EQ(drawing.of(red)[0].width(), 2) << "a part stays visible";
    MatrixLayer bare = matrix(10);
    bare.parts.clear();
    bare.bare = true;
    draw(bare);
    EXPECT_TRUE(drawing.boxes.empty());
}

TEST_F(FigureTest, AnElementIsFoundAndHasItsValueWhereItHasRoom)
{
    draw(matrix(30), ImVec2{100 + 2.5f * 30, 100 + 1.5f * 30});
    EXPECT_TRUE(drawing.says("12"));
    EXPECT_TRUE(drawing.says("34"));
    EXPECT_EQ(tip(), "1 2");
    EXPECT_FALSE(hit->click) << "nothing is done there";
    draw(matrix(30), ImVec2{101, 101});
    EXPECT_TRUE(hit->click);
    draw(matrix(30), ImVec2{100 + 5.5f * 30, 110});
    EXPECT_FALSE(hit) << "beside it";
    draw(matrix(10));
    EXPECT_TRUE(drawing.words.empty());
    MatrixLayer far = matrix(30);
    far.frame.corner = {100, 40}; // the panel begins at 100: two rows lie above it
    draw(far);
    EXPECT_FALSE(drawing.says("12"));
    EXPECT_TRUE(drawing.says("34"));
}

TEST_F(FigureTest, ACellHasTheFirstWordsThatFit)
{
    CellLayer cells{.name = "c", .rows = 1, .cols = 4, .widest = "a"};
    cells.colour = [](uint32_t, uint32_t) { return red; };
    cells.words = [](uint32_t, uint32_t col) { return col == 0 ? "1" : col == 1 ? "" : std::string(40, '1'); };
    cells.shorter.emplace_back([](uint32_t, uint32_t col) { return std::string(col == 2 ? 2 : 40, '2'); });
    cells.shorter.emplace_back([](uint32_t, uint32_t) { return "3"; });
    draw(cells);
    EXPECT_EQ(drawing.words, (std::vector<std::string>{"1", "3", "22", "3"}));
}

CalloutLayer callout()
{
    return {.lines = {{.words = "a line", .large = true}, {.words = std::string(200, 'x')}, {.words = "and more"}},
            .over = {{100, 150}, {500, 300}},
            .otherwise = {{100, 100}, {500, 150}}};
}

TEST_F(FigureTest, ACalloutStandsWhereItHidesTheLeast)
{
    const auto stands = [&] { return Box{marks.words.front().min, marks.words.back().max}; };
    draw(callout());
    ASSERT_EQ(marks.words.size(), 2u) << "a line that is too wide goes";
    EXPECT_GT(stands().min.x, 300);
    EXPECT_GT(stands().min.y, 225) << "in the lower right corner";
    CalloutLayer layer = callout();
    layer.obstacles = {{{{300, 150}, {500, 300}}, 8}, {{{100, 250}, {200, 300}}}};
    draw(layer);
    EXPECT_LT(stands().max.x, 300);
    EXPECT_LT(stands().max.y, 250) << "at the left, and not at the bottom";
    layer.obstacles.push_back({{{100, 150}, {300, 240}}, 20});
    draw(layer);
    EXPECT_LT(stands().max.x, 300);
    EXPECT_GT(stands().min.y, 240) << "over the small one, which weighs less";
    layer.spare = 140;
    draw(layer);
    EXPECT_LT(stands().min.y, 150) << "above, where too little of the height is left";
}

TEST_F(FigureTest, ProseThatIsWantedWholeGoesWhereItHasNoRoom)
{
    const auto prose = [](float height) {
        return ProseLayer{rich("some words"), Box{{100, 100}, {400, 100 + height}}, true, "prose"};
    };
    draw(prose(40));
    EXPECT_TRUE(has_mark("prose"));
    draw(prose(4));
    EXPECT_FALSE(has_mark("prose"));
    EXPECT_TRUE(marks.words.empty());
}

// What a camera shows ends at the edge of its picture: that is no fault of its words.
TEST_F(FigureTest, WordsBeyondACamerasPictureAreNotCut)
{
    PanZoom camera;
    const LabelLayer labels{{{.words = "at the edge", .at = {470, 200}, .side = Label::Side::right, .must = true},
                             {.words = "outside", .at = {900, 900}, .must = true}}};
    Figure figure;
    figure.panels.push_back({.id = "zoomed", .box = {{100, 100}, {500, 300}}, .layers = {labels}, .camera = &camera});
    Painter painter(drawing, theme, {}, &marks);
    paint(painter, figure);
    ASSERT_EQ(marks.words.size(), 1u);
    EXPECT_FALSE(marks.words[0].cut);
}

} // namespace
