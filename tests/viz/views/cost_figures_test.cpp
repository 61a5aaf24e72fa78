// Pictures of costs: their values, units, shares, colours and origins, and texts that do not overlap.
#include "tests/viz/figure/figure_fixture.h"
#include "viz/analysis/cache_hints.h"
#include "viz/figure/rows.h"
#include "viz/views/05_hierarchy/facts.h"
#include "viz/views/20_threads/facts.h"
#include "viz/views/22_patterns/charts.h"
#include "viz/views/25_global/facts.h"
#include "viz/views/45_reuse/facts.h"
#include "viz/views/50_occupancy/facts.h"
#include "viz/views/55_roofline/facts.h"
#include "viz/views/70_faster/facts.h"

#include "tests/paths.h"
#include "tests/says.h"

#include <algorithm>
#include <numeric>

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
    EXPECT_EQ(row(figure, "tile blocks: 4", "vectorized").words, "none");
    EXPECT_EQ(plain(largest_tile_words(stages[0])), "an SM's limits alone allow tiles up to 32 x 32");
    draw(figure);
    expect_words_apart();
    const auto bar = [&](const char* name) {
        const auto found = std::ranges::find(marks.drawn, name, &Marks::Drawn::name);
        return found == marks.drawn.end() ? Colour{0} : found->colour;
    };
    EXPECT_EQ(bar("tile shared:32 shared_tile"), red);
    EXPECT_EQ(bar("tile shared:64 shared_tile"), theme.ink_faint) << "it cannot be launched";
    const Marks::Drawn pointed = mark("tile shared:32 vectorized");
    draw(figure, ImVec2{pointed.min.x + 1, (pointed.min.y + pointed.max.y) / 2});
    EXPECT_TRUE(test::says(tip(), "32 x 32")) << tip();
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

// Bytes, binary and decimal multiples of them, and times: each axis has the unit in its title.
TEST_F(CostFigures, ChartsHaveTheUnitsOfTheirAxes)
{
    LadderFacts of;
    of.gpu.measured = recording::Measured<recording::GpuMeasurement>({.streaming = {{16, 16, 2000}}}, {});
    of.cache_hints = std::make_shared<const CacheHints>(
        CacheHints{.rows = {{1024, "plain", 500, 0.5, 0.5, 1'500'000'000}}, .from = {}, .missing = {}});
    Figure figure;
    figure.panels = {streaming_chart(of, {}, theme, {{0, 0}, {400, 300}})};
    std::string hint;
    add_cache_hints(figure, {{{}, selection, of, requests}, hint, theme}, {{0, 0}, {800, 300}});
    const struct {
        const char* mark;
        double right, up;
    } points[] = {{"streaming:16:16", 8, 2}, {"hints:time plain 1024", 1, 500}, {"hints:DRAM plain 1024", 1, 1.5}};
    for (const auto& [mark, right, up] : points) {
        EXPECT_EQ(row(figure, mark).from, right) << mark;
        EXPECT_EQ(row(figure, mark).value, up) << mark;
    }
    ASSERT_EQ(figure.panels.size(), 3u);
    EXPECT_EQ(figure.panels[1].origin, NumberOrigin::measured);
    EXPECT_EQ(figure.panels[2].origin, NumberOrigin::counter);
    const auto& curves = std::get<CurveLayer>(figure.panels[1].layers[0]).curves;
    for (const auto& curve : curves) // curves that lie on one another share an entry
        EXPECT_LE(curve.points.empty() ? 0 : 1,
                  std::ranges::count(figure.panels[1].legend, curve.colour, &LegendEntry::colour))
            << curve.name;
}

// A warp has the colour of the unit that it uses or waits for, as in other views.
TEST_F(CostFigures, WarpsOverTimeHaveTheColoursOfTheirLegend)
{
    std::string hint;
    Figure figure;
    OverTime().add_to(figure, {scene, hint, theme}, {{0, 0}, {800, 600}});
    const std::vector<LegendEntry>& legend = figure.panels.at(0).legend;
    ASSERT_EQ(legend.size(), 5u);
    EXPECT_EQ(doing_colour(theme, WarpDoing::running), theme.compute);
    EXPECT_EQ(doing_colour(theme, WarpDoing::memory), theme.load);
    for (const WarpDoing doing : {WarpDoing::running, WarpDoing::memory, WarpDoing::barrier})
        EXPECT_EQ(legend[static_cast<std::size_t>(doing)].colour, doing_colour(theme, doing));
    EXPECT_EQ(legend[4].colour, theme.warning) << "all wait";
}

// A stage with 2 FLOP per byte of shared memory, whose roof is then 60,000 GFLOPS; the peak is another number.
TEST_F(CostFigures, APointBelowARoofHasItsShareOfThatRoof)
{
    LadderFacts of;
    StageFacts facts{.slug = "vectorized", .tile = ReuseTile{.rows = 8, .cols = 8}};
    facts.speed = recording::Measured<SpeedAt>(SpeedAt{{.M = 4096, .N = 4096, .K = 4096}, 15'000}, {});
    of.rungs = {std::move(facts)};
    Ceilings ceilings;
    ceilings.shared = {30'000, true};
    ceilings.arithmetic = {{"fp32", {50'000, true}}};
    Figure figure;
    figure.panels = {roofline_chart({of, ceilings, theme, {"vectorized"}, {2.0}, {}}, {{0, 0}, {800, 500}})};
    EXPECT_EQ(row(figure, "shared:vectorized").from, 2);
    EXPECT_TRUE(test::says(row(figure, "shared:vectorized").words, "25.0%"));
}

// Thread i stores element i of a C of 4 x 8.
TEST_F(CostFigures, AnElementHasItsOwnerInItsRowAndColumn)
{
    StageColumn column{.slug = "naive"};
    BlockMapping mapping{.tile = {0, 0, 4, 8}, .rows = 4, .cols = 8, .warp_results = 32};
    mapping.threads.resize(32);
    std::iota(mapping.threads.begin(), mapping.threads.end(), 0u);
    const Panel panel = mapping_panel(theme, column, mapping, 0, {{100, 100}, {500, 300}});
    draw(panel);
    const Marks::Drawn all = mark("mapping 0");
    draw(panel, ImVec2{all.min.x + 2.5f / 8 * width(all), all.min.y + 1.5f / 4 * (all.max.y - all.min.y)});
    EXPECT_TRUE(test::says(tip(), "C(1, 2): warp 0, lane 10"));
}

// Of 10 warps that wait, 8 wait for memory. Two more issue.
TEST_F(CostFigures, WaitsAreCountedSharesOfAllWaits)
{
    const auto run = std::make_shared<const recording::RunProfile>(recording::RunProfile{
        .instructions = {{0, 0x10, "LDG", 7, 4}},
        .samples = recording::WarpSamples{.states = {"selected", "long_scoreboard", "barrier"},
                                          .samples = {{0, 0x10, 0, 2}, {0, 0x10, 1, 8}, {0, 0x10, 2, 2}}}});
    recording::Recording recording;
    recording.stage = "naive";
    const StageColumn column{.slug = "naive",
                             .recording = std::make_shared<const recording::Recording>(std::move(recording))};
    LadderFacts of;
    of.rungs = {{.slug = "naive", .run = CountedRun{run, {}, {}}}};
    const OccupancyCase cases[] = {{.stage = &column}};
    Figure figure;
    figure.panels = {waits_panel(of, cases, theme, {{0, 0}, {400, 200}})};
    EXPECT_EQ(figure.panels[0].origin, NumberOrigin::counter);
    draw(figure);
    EXPECT_EQ(mark("waits:long_scoreboard naive").label, "80.0%");
    EXPECT_NEAR(width(mark("waits:barrier naive")) / width(mark("waits:long_scoreboard naive")), 0.25, 0.02);
}

// A stride of twice the cost is twice as high above the axis.
TEST_F(CostFigures, CostsOfStridesAreDrawnFromZero)
{
    const std::vector<std::optional<int>> costs{2, 4};
    draw(stride_panel(theme, {}, {}, costs, {}, {{100, 100}, {500, 300}}));
    const auto above = [&](const char* name) {
        return mark("chart:strides").max.y - (mark(name).min.y + mark(name).max.y) / 2;
    };
    EXPECT_NEAR(above("stride 1") / above("stride 2"), 0.5, 0.02);
}

} // namespace
