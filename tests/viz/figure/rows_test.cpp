// The marks of a figure as rows of a table.
#include "figure_fixture.h"

#include "viz/figure/rows.h"

namespace {

using namespace test_figures;

class FigureRows : public FigureTest {
protected:
    std::vector<FigureRow> rows(Layer layer) const
    {
        Figure figure;
        figure.panels.push_back({.id = "p", .box = {{0, 0}, {400, 200}}, .layers = {std::move(layer)}});
        std::vector<FigureRow> all = rows_of(theme, figure);
        for (const FigureRow& row : all)
            EXPECT_EQ(row.panel, "p");
        return all;
    }
};

TEST_F(FigureRows, BarsHaveTheirValuesAlsoWhereNoneIsKnown)
{
    BarLayer layer{.name = "waits"};
    layer.bars.push_back(
        {.name = "barrier",
         .parts = {{.series = "naive", .value = 12.5, .words = "12.5"}, {.series = "tiled", .words = "-"}},
         .limits = {{.name = "peak", .value = 20}}});
    layer.bars.push_back({.name = "memory", .missing = "not counted"});
    const std::vector<FigureRow> all = rows(layer);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].name, "waits: barrier");
    EXPECT_EQ(all[0].series, "naive");
    EXPECT_EQ(all[0].value, 12.5);
    EXPECT_EQ(all[1].series, "tiled");
    EXPECT_FALSE(all[1].value);
    EXPECT_EQ(all[2].value, 20);
    EXPECT_EQ(all[3].words, "not counted");
}

// Includes points beyond the axis and points without room for their name.
TEST_F(FigureRows, PointsHaveBothCoordinates)
{
    CurveLayer layer{.right = {.least = 0, .most = 1}, .up = {.least = 0, .most = 1}};
    layer.curves.push_back({.name = "speed", .points = {{.right = 512, .up = 3, .label = "3"}, {.right = 2, .up = 9}}});
    layer.limits = {{.name = "peak", .value = 20}};
    const std::vector<FigureRow> all = rows(layer);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[2].name, "peak");
    EXPECT_EQ(all[2].value, 20);
    EXPECT_EQ(all[0].series, "speed");
    EXPECT_EQ(all[0].from, 512);
    EXPECT_EQ(all[0].value, 3);
    EXPECT_EQ(all[0].words, "3");
    EXPECT_EQ(all[1].value, 9);
}

TEST_F(FigureRows, CellsThatAreNotThereHaveNoRow)
{
    CellLayer layer{.name = "bank", .rows = 2, .cols = 2};
    layer.colour = [](uint32_t row, uint32_t col) { return row == 1 && col == 0 ? Colour{0} : red; };
    layer.value = [](uint32_t row, uint32_t col) { return 10.0 * row + col; };
    const std::vector<FigureRow> all = rows(layer);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[1].row, 0);
    EXPECT_EQ(all[1].col, 1);
    EXPECT_EQ(all[2].row, 1);
    EXPECT_EQ(all[2].col, 1);
    EXPECT_EQ(all[2].value, 11);
}

// Includes intervals thinner than a pixel.
TEST_F(FigureRows, EachIntervalOfALane)
{
    LaneLayer layer{.time = {.least = 0, .most = 1000}};
    const auto number = [](std::size_t i) { return std::to_string(i); };
    layer.rows.push_back(
        {.name = "SM 3",
         .count = 500,
         .at =
             [](std::size_t i) {
                 return LaneLayer::Interval{2.0 * static_cast<double>(i), 2.0 * static_cast<double>(i) + 1};
             },
         .words = number});
    const std::vector<FigureRow> all = rows(layer);
    ASSERT_EQ(all.size(), 500u);
    EXPECT_EQ(all[499].name, "SM 3");
    EXPECT_EQ(all[499].from, 998);
    EXPECT_EQ(all[499].until, 999);
    EXPECT_EQ(all[499].words, "499");
}

TEST_F(FigureRows, HeadingsTitlesAndLabelsAreWordsOfIt)
{
    Figure figure;
    figure.headings.push_back({rich("swizzled"), rich("**{}** conflicts", uint64_t{128}), {}});
    figure.panels.push_back(
        {.id = "p",
         .title = "Banks",
         .layers = {LabelLayer{{{.words = "twice"}}}, CalloutLayer{.lines = {{.words = "16 banks"}}}}});
    const std::vector<FigureRow> all = rows_of(theme, figure);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[3].words, "16 banks");
    EXPECT_EQ(all[0].series, "swizzled");
    EXPECT_EQ(all[0].words, "128 conflicts");
    EXPECT_EQ(all[1].name, "Banks");
    EXPECT_EQ(all[2].words, "twice");
}

} // namespace
