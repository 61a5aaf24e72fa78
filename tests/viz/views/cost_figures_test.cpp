// Pictures of tile sizes, memory traffic, a network's layer and host code: their values, and texts that do not overlap.
#include "tests/viz/figure/figure_fixture.h"
#include "viz/figure/rows.h"
#include "viz/views/05_hierarchy/facts.h"
#include "viz/views/20_threads/facts.h"
#include "viz/views/45_reuse/facts.h"
#include "viz/views/55_roofline/facts.h"

#include "tests/paths.h"

namespace {

using namespace viz;
using namespace test_figures;

class CostFigures : public FigureTest {
protected:
    // Returns the row of a mark, as in JSON.
    FigureRow row(const Figure& figure, std::string_view name, std::string_view series = {}) const
    {
        for (const FigureRow& one : rows_of(theme, figure))
            if (one.name == name && (series.empty() || one.series == series))
                return one;
        ADD_FAILURE() << "no " << name;
        return {};
    }
};

TilesOfStage tiles(std::string slug, Colour accent, TileScheme scheme)
{
    return {std::move(slug), accent, scheme, tile_sizes(limits_of(90).value(), scheme)};
}

TEST_F(CostFigures, SizesOfTilesHaveTheirCostsAndTheirLimit)
{
    const std::vector<TilesOfStage> stages{tiles("shared_tile", red, {.registers = 32}),
                                           tiles("vectorized", green, {.results = 64, .k = 8, .registers = 128})};
    Figure figure;
    add_tile_sizes(figure, theme, stages, {{0, 0}, {900, 420}});
    EXPECT_EQ(row(figure, "tile shared: 32", "shared_tile").value, 8192);
    EXPECT_EQ(row(figure, "tile shared: 32", "vectorized").value, 2048);
    EXPECT_EQ(row(figure, "tile intensity: 128", "vectorized").value, 32);
    EXPECT_EQ(row(figure, "tile loads: 64", "vectorized").words, "0.0312");
    EXPECT_EQ(row(figure, "tile blocks: 32", "shared_tile").words, "2 · threads");
    EXPECT_EQ(row(figure, "tile blocks: 64", "shared_tile").words, "none · threads");
    EXPECT_EQ(row(figure, "tile blocks: 4", "vectorized").words, "none · too few results for a thread");
    EXPECT_EQ(plain(largest_tile_words(stages[0])), "an SM's limits alone allow tiles up to 32 x 32");
    draw(figure);
    expect_words_apart();
    const auto bar = [&](const char* name) {
        const auto found = std::ranges::find(marks.drawn, name, &Marks::Drawn::name);
        return found == marks.drawn.end() ? Colour{0} : found->colour;
    };
    EXPECT_EQ(bar("tile shared:32 shared_tile"), red);
    EXPECT_EQ(bar("tile shared:64 shared_tile"), theme.ink_faint) << "it cannot be launched";
}

TEST_F(CostFigures, ABusyMemoryStandsBesideAnIdleUnit)
{
    LadderFacts ladder_facts;
    const recording::Problem problem{.M = 4096, .N = 4096, .K = 4096};
    for (const auto& [slug, busy, gflops, sectors] :
         {std::tuple{"naive", 0.98, 500.0, 7e10}, {"coalesced", 0.75, 6300.0, 1e10}}) {
        StageFacts facts{.slug = slug};
        facts.speeds = {recording::Measured<SpeedAt>(SpeedAt{problem, gflops}, recording::Provenance())};
        HardwareFigures counted{.problem = problem, .dram_read = 4e9, .load_sectors = sectors, .l2_sectors = 8e8};
        counted.memory_throughput = busy;
        counted.dram_throughput = 0.01;
        counted.nanoseconds = 2 * 4096.0 * 4096 * 4096 / gflops;
        counted.least_read = 2 * 4096.0 * 4096 * 4;
        facts.counted = {counted};
        ladder_facts.rungs.push_back(std::move(facts));
    }
    Ceilings ceilings;
    ceilings.arithmetic = {{"fp32", {50'000, true}}};
    const ChartFacts facts{ladder_facts, ceilings, theme, {"naive", "coalesced"}, {}, {}};
    Figure figure;
    add_traffic(figure, facts, {{0, 0}, {800, 520}});
    EXPECT_EQ(row(figure, "busy: way to memory", "naive").words, "98.0%");
    EXPECT_EQ(row(figure, "busy: arithmetic", "naive").words, "1.0%");
    EXPECT_EQ(row(figure, "busy: arithmetic", "coalesced").words, "12.6%");
    EXPECT_EQ(row(figure, "moved: lanes ask L1", "naive").value, 7e10 * 32);
    EXPECT_EQ(row(figure, "moved: lanes ask L1", "naive").words, "2,086 GiB · 16,689 times · 8.15 TB/s");
    EXPECT_EQ(row(figure, "moved: each value once", "naive").words, "128 MiB");
    EXPECT_EQ(plain(busy_headline(busy_of(facts, "naive"))), "memory 98.0% busy, 1.0% of the peak");
    draw(figure);
    expect_words_apart();
    EXPECT_TRUE(drawing.says("98.0%"));
    ladder_facts.rungs[0].counted.clear();
    ladder_facts.rungs[1].counted.clear();
    Figure none;
    add_traffic(none, facts, {{0, 0}, {800, 400}});
    ASSERT_EQ(none.panels.size(), 1u);
    const std::vector<FigureRow> said = rows_of(theme, none);
    ASSERT_FALSE(said.empty());
    EXPECT_NE(said.front().words.find("No GPU counted"), std::string::npos);
}

TEST_F(CostFigures, ALayerOfANetworkHasItsShapes)
{
    for (const ImVec2 size : {ImVec2{560, 400}, ImVec2{860, 600}, ImVec2{1100, 800}}) {
        Figure figure;
        figure.panels = {network_panel(theme, {.M = 64, .N = 256, .K = 128}, {{0, 0}, size})};
        draw(figure);
        expect_words_apart();
        const auto box = [&](const char* name) { return Box{mark(name).min, mark(name).max}; };
        EXPECT_FLOAT_EQ(box("A").min.y, box("C").min.y) << "a row of A is a row of C";
        EXPECT_FLOAT_EQ(box("A").max.y, box("C").max.y);
        EXPECT_FLOAT_EQ(box("B").min.x, box("C").min.x) << "a column of B is a column of C";
        EXPECT_NEAR(box("one of C").middle().y, box("one of A").middle().y, 2);
        EXPECT_NEAR(box("one of C").middle().x, box("one of B").middle().x, 2);
        EXPECT_TRUE(std::ranges::any_of(
            drawing.words, [](const std::string& one) { return one.find("weights") != std::string::npos; }));
    }
    EXPECT_TRUE(drawing.says("A 64 x 128"));
    EXPECT_TRUE(drawing.says("B 128 x 256: weights"));
    EXPECT_TRUE(drawing.says("C 64 x 256"));
}

TEST_F(CostFigures, HostAndDeviceAreTwoLanes)
{
    const auto calls = host_calls(test::text_of(test::shipped("programs/first_program.cu")));
    Figure figure;
    figure.panels = {host_panel(theme, "first", calls, {{0, 0}, {860, 260}})};
    draw(figure);
    expect_words_apart();
    EXPECT_TRUE(drawing.says("4 launch"));
    EXPECT_TRUE(drawing.says("kernel"));
    EXPECT_EQ(mark("host: synchronize").colour, theme.warning) << "the host waits";
    EXPECT_EQ(mark("device: launch").colour, theme.compute);
    EXPECT_GE(mark("device: launch").min.x + 0.1f, mark("host: launch").max.x) << "the launch returned";
    figure.panels = {host_panel(theme, "first", calls, {{0, 0}, {400, 260}})};
    draw(figure);
    expect_words_apart();
    EXPECT_TRUE(drawing.says("4")) << "its number, where there is no room for its name";
}

} // namespace
