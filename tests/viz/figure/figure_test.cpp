// The drawing of figures: positions represent values, texts neither overlap nor are cut, and marks are found with the
// mouse.
#include "tests/viz/figure/figure_fixture.h"
#include "viz/draw/camera.h"
#include "viz/figure/layout.h"
#include "viz/figure/raster.h"

#include <cmath>
#include <set>

namespace {

using namespace viz;
using namespace test_figures;

CellLayer chessboard()
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
    draw(chessboard());
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
    draw(chessboard(), ImVec2{201, 151});
    EXPECT_EQ(tip(), "1 2");
    draw(chessboard(), ImVec2{499, 249});
    EXPECT_EQ(tip(), "2 7");
    draw(chessboard(), ImVec2{499, 299});
    EXPECT_FALSE(hit) << "no cell";
}

// 64 columns of one colour and 64 of another become two boxes for each run of equal rows. The boxes cover the same area
// as single cells.
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
    draw(chessboard());
    EXPECT_TRUE(drawing.says("12"));
    CellLayer small = chessboard();
    small.cols = 100;
    draw(small);
    EXPECT_TRUE(drawing.words.empty());
}

TEST_F(FigureTest, ACellHasTheLinesThatAllHaveRoom)
{
    CellLayer cells = chessboard();
    cells.lines.emplace_back([](uint32_t, uint32_t) { return std::vector<std::string>(9, "a"); });
    cells.lines.emplace_back([](uint32_t row, uint32_t col) {
        return std::vector{std::to_string(row), col == 7 ? std::string() : "v" + std::to_string(col)};
    });
    draw(cells);
    EXPECT_EQ(mark("board(1,2)").label, "1 v2");
    EXPECT_EQ(words("v2").min.x + words("v2").max.x, mark("board(1,2)").min.x + mark("board(1,2)").max.x);
    EXPECT_FALSE(drawing.says("12"));
    EXPECT_EQ(mark("board(1,7)").label, "17") << "with an empty line the words stay";
    cells.rows = 1;
    draw(cells);
    EXPECT_EQ(mark("board(0,2)").label, "a a a a a a a a a");
    cells.rows = 12;
    cells.colour = [](uint32_t, uint32_t) { return red; };
    draw(cells);
    EXPECT_EQ(mark("board(1,2)").label, "12") << "a cell is as high as one line";
}

// Most cells are outside of the camera's box, and their colours are not computed.
TEST_F(FigureTest, OnlyCellsInSightAreDrawn)
{
    CellLayer cells = chessboard();
    cells.rows = 1000;
    std::set<uint32_t> rows;
    cells.colour = [&](uint32_t row, uint32_t) {
        rows.insert(row);
        return red;
    };
    cells.box = Box{{100, 100 - 50 * 500}, {500, 100 + 50 * 500}};
    draw(cells);
    EXPECT_EQ(rows.size(), 1000u);
    rows.clear();
    PanZoom shown;
    camera = &shown;
    draw(cells);
    EXPECT_EQ(*rows.begin(), 500u);
    EXPECT_LE(rows.size(), 5u);
    EXPECT_TRUE(has_mark("board(501,2)"));
    EXPECT_FALSE(has_mark("board(400,2)"));
}

TEST_F(FigureTest, AFrameHasWordsInItsMiddleWhereTheyFit)
{
    CellLayer cells = chessboard();
    cells.words = nullptr;
    cells.frames = {{.row = 0, .col = 2, .rows = 2, .cols = 4, .name = "run", .words = "lane 5"}};
    draw(cells);
    const Marks::Drawn run = mark("run");
    EXPECT_EQ(run.label, "lane 5");
    EXPECT_NEAR(words("lane 5").min.x + words("lane 5").max.x, run.min.x + run.max.x, 0.1);
    EXPECT_NEAR(words("lane 5").min.y + words("lane 5").max.y, run.min.y + run.max.y, 0.1);
    cells.frames[0].words = "words that are wider than four cells of this board";
    draw(cells);
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

    CurveLayer two = chart();
    two.curves.push_back(
        {.name = "d", .points = {{5.2, 10, "beside", "", [] { return rich("beside"); }}}, .colour = red, .radius = 4});
    draw(two);
    const ImVec2 one = middle("middle"), other = middle("beside");
    draw(two, ImVec2{one.x - 1, one.y});
    EXPECT_EQ(tip(), "middle") << "both are within reach";
    draw(two, ImVec2{other.x + 1, other.y});
    EXPECT_EQ(tip(), "beside");
}

// Ticks in two named rows. The action shows which one is found.
TEST_F(FigureTest, NamedRowsOfTicksAreFound)
{
    CurveLayer layer = chart();
    layer.up = {.least = -0.5, .most = 1.8, .logarithmic = false, .names = {{0, "below"}, {1.3, "above"}}};
    int hovered = 0;
    layer.curves[0].points = {
        {.right = 5, .up = 1.3, .name = "tick", .glyph = CurveLayer::Glyph::tick, .hover = [&](const ViewScene&) {
             ++hovered;
         }}};
    draw(layer);
    const Marks::Drawn tick = mark("tick");
    const Marks::Words above = words("above");
    EXPECT_NEAR((above.min.y + above.max.y) / 2, (tick.min.y + tick.max.y) / 2, 1);
    EXPECT_GT(words("below").min.y, above.max.y);
    ASSERT_EQ(drawing.of(red).size(), 1u);
    EXPECT_LT(drawing.of(red)[0].width(), drawing.of(red)[0].height()) << "a thin line upwards";
    draw(layer, ImVec2{(tick.min.x + tick.max.x) / 2 + 3, tick.min.y});
    EXPECT_TRUE(hit && hit->hover);
}

// The points of two rows are less than a line of text apart, so a label between them would cover one.
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
    ASSERT_TRUE(hit) << "a drag continues outside of the axes";
    EXPECT_EQ(tip(), "here");
    EXPECT_NEAR(said, 10, 0.01) << "at their end";
    draw(layer, inside, ImVec2{area.min.x, area.min.y - 20});
    EXPECT_FALSE(hit->drag) << "it was pressed above the chart";
}

// 300 x 300 cells on 400 x 200 pixels. Each pixel shows a cell, and without a change nothing is uploaded.
TEST_F(FigureTest, CellsThatAreKeptAreShownAsPixels)
{
    std::size_t asked = 0;
    CellLayer layer{.name = "cells", .rows = 300, .cols = 300, .colour = {}};
    layer.colour = [&](CellLayer::Row row, CellLayer::Col) {
        ++asked;
        return row < 150 ? red : green;
    };
    layer.kept = std::make_shared<Raster>();
    layer.bordered = false;
    draw(layer);
    EXPECT_EQ(layer.kept->width(), 400);
    EXPECT_EQ(layer.kept->height(), 200);
    EXPECT_EQ(layer.kept->row(98).front(), red);
    EXPECT_EQ(layer.kept->row(102).front(), green);
    EXPECT_EQ(layer.kept->row(102).back(), green);
    EXPECT_LE(asked, std::size_t{300} * 200) << "no more than there are cells or pixels";
}

TEST_F(FigureTest, LabelsNeverTouch)
{
    LabelLayer layer;
    for (int i = 0; i < 40; ++i)
        layer.labels.push_back({.words = "label", .at = {150 + static_cast<float>(i) * 7, 200}});
    draw(layer);
    EXPECT_GT(marks.words.size(), 8u) << "above, below and beside";
    EXPECT_LT(marks.words.size(), 40u);
    expect_words_apart();
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
    draw(Panel{.id = "narrow",
               .box = {{0, 0}, {100, 50}},
               .title = "a title that is too long for its panel",
               .figure = rich("**12**")});
    ASSERT_EQ(marks.words.size(), 1u) << "its number is omitted";
    EXPECT_TRUE(marks.words[0].words.ends_with("..."));
    EXPECT_TRUE(marks.words[0].shortened);
    EXPECT_FALSE(marks.words[0].cut);
    EXPECT_LE(marks.words[0].max.x, 100);
}

TEST_F(FigureTest, WhatIsPointedAtDoesWhatItIsTold)
{
    int times = 0;
    const ShapeLayer shapes{
        .shapes = {said_of(box_shape({{200, 150}, {220, 170}}, red), {.hover = [&](const ViewScene&) { ++times; }})}};
    draw(shapes, ImVec2{210, 160});
    ASSERT_TRUE(hit && hit->hover);
    EXPECT_FALSE(hit->click);
    EXPECT_EQ(times, 0) << "only the owner of the scene runs an action";
    draw(shapes, ImVec2{230, 160});
    EXPECT_FALSE(hit);
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
    EXPECT_FALSE(hit->click) << "a click does nothing there";
    draw(matrix(30), ImVec2{101, 101});
    EXPECT_TRUE(hit->click);
    draw(matrix(30), ImVec2{100 + 5.5f * 30, 110});
    EXPECT_FALSE(hit) << "beside it";
    draw(matrix(10));
    EXPECT_TRUE(drawing.words.empty());
    MatrixLayer far = matrix(30);
    far.frame.corner = {100, 40}; // the panel begins at 100, so two rows are above it
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
    const auto stands = [&] {
        const Box ground = drawing.boxes.at(0).box;
        EXPECT_TRUE(ground.min.x >= 100 && ground.max.x <= 500 && ground.min.y >= 100 && ground.max.y <= 300)
            << "it ends within the picture";
        return Box{marks.words.front().min, marks.words.back().max};
    };
    draw(callout());
    ASSERT_EQ(marks.words.size(), 2u) << "a line that is too wide is omitted";
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
    EXPECT_GT(stands().min.y, 240) << "over the small obstacle, which has less weight";
    layer.spare = 140;
    draw(layer);
    EXPECT_LT(stands().min.y, 150) << "above, where too little of the height is left";
    layer.lines = {{.words = std::string(200, 'x')}};
    draw(layer);
    EXPECT_TRUE(marks.words.empty() && drawing.boxes.empty()) << "without a line that fits nothing is drawn";
}

// One line has room above and below the obstacle, two have not.
TEST_F(FigureTest, ACalloutOmitsLinesThatWouldHideMuch)
{
    CalloutLayer layer{.lines = {{.words = "a line"}, {.words = "and more"}},
                       .over = {{100, 150}, {500, 250}},
                       .otherwise = {{100, 100}, {500, 150}}};
    layer.obstacles = {{{{100, 200}, {500, 205}}, 1}};
    draw(layer);
    EXPECT_EQ(marks.words.size(), 2u);
    layer.obstacles.front().weight = 2;
    draw(layer);
    ASSERT_EQ(marks.words.size(), 1u);
    EXPECT_TRUE(marks.words.front().max.y < 200 || marks.words.front().min.y > 205);
}

TEST_F(FigureTest, ProseThatIsWantedWholeGoesWhereItHasNoRoom)
{
    const auto prose = [](float height) {
        return RichTextLayer{rich("some words"), Box{{100, 100}, {400, 100 + height}}, true, "prose"};
    };
    draw(prose(40));
    EXPECT_TRUE(has_mark("prose"));
    draw(prose(4));
    EXPECT_FALSE(has_mark("prose"));
    EXPECT_TRUE(marks.words.empty());
}

// The picture of a camera is clipped at its edge. Its text does not count as cut.
TEST_F(FigureTest, WordsBeyondACamerasPictureAreNotCut)
{
    PanZoom shown;
    camera = &shown;
    draw(LabelLayer{{{.words = "at the edge", .at = {470, 200}, .side = Label::Side::right, .must = true},
                     {.words = "outside", .at = {900, 900}, .must = true}}});
    ASSERT_EQ(marks.words.size(), 1u);
    EXPECT_FALSE(marks.words[0].cut);
}

TEST(Layout, SharesWhatFixedPartsLeave)
{
    const Box box{{10, 20}, {110, 220}};
    const std::vector<Box> parts = rows(box, {pixels(40), share_of_rest(1), share_of_rest(3)}, 10);
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].min.y, 20);
    EXPECT_EQ(parts[0].max.y, 60);
    EXPECT_EQ(parts[1].min.y, 70);
    EXPECT_EQ(parts[1].height(), 35);
    EXPECT_EQ(parts[2].height(), 105);
    EXPECT_EQ(parts[2].max.y, 220);
    EXPECT_EQ(parts[2].width(), 100);
}

TEST(Layout, ColumnsOfOneWidthEndWhereTheBoxDoes)
{
    const std::vector<Box> parts = columns({{0, 0}, {100, 10}}, 3, 5);
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].width(), 30);
    EXPECT_EQ(parts[2].max.x, 100);
    EXPECT_EQ(columns({{0, 0}, {100, 10}}, 1, 5)[0].width(), 100);
}

TEST(Layout, WithoutRoomNothingIsNegative)
{
    for (const Box& one : rows({{0, 0}, {10, 10}}, {pixels(40), share_of_rest()}, 4))
        EXPECT_GE(one.height(), 0);
}

// Of 4 rows and 8 columns, the second row and the left half are visible.
MatrixLayer ruled_matrix()
{
    return {.frame = {{100, 100}, 50, plain_shape(4, 8), 1},
            .parts = {{{{1, 2, 1, 3}}, red, 2, "part"}},
            .ruled = Box{{150, 150}, {350, 200}}};
}

TEST_F(FigureTest, RowsAndColumnsInSightAreNumberedAtTheEdges)
{
    draw(ruled_matrix());
    EXPECT_EQ(drawing.words, (std::vector<std::string>{"1", "2", "3", "4", "1"})) << "columns, then the row";
    EXPECT_NEAR((words("4").min.x + words("4").max.x) / 2, 325, 1);
    EXPECT_LE(words("4").max.y, 150) << "above";
}

TEST_F(FigureTest, APartOfAMatrixIsFoundByItsName)
{
    draw(ruled_matrix());
    EXPECT_EQ(mark("part").colour, red);
    EXPECT_NEAR(mark("part").min.x, 200, 0.01);
    EXPECT_NEAR(mark("part").max.x, 350, 0.01);
    EXPECT_NEAR(mark("part").max.y, 200, 0.01);
}

TEST_F(FigureTest, AnImageIsMadeForThePixelsThatItFills)
{
    ImGui::GetIO().DisplayFramebufferScale = {2, 2};
    std::pair<int, int> size;
    draw(ImageLayer{{{110, 110}, {140, 130}}, [&](int width, int height) {
                        size = {width, height};
                        return 7u;
                    }});
    EXPECT_EQ(size, (std::pair{60, 40}));
    ASSERT_EQ(drawing.images.size(), 1u);
    EXPECT_EQ(drawing.images[0].second, 7u);
    EXPECT_NEAR(drawing.images[0].first.max.x, 140, 0.01);
}

} // namespace
