// The views of single aspects. Their drawing is read from the screen.
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"
#include "views.h"

#include "viz/draw/draw.h"
#include "viz/draw/matrix_picture.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

namespace {

using namespace test;

TEST_F(Views, HierarchyZoomsToTheThreadAndTellsTheSurplusOnes)
{
    open({"--stage", "vector_add", "--view", "hierarchy"});
    display.press_while("Alt_L", "N"); // the last block follows the first one backwards
    const double before = widget("thread").height;
    program->press("z");
    program->wait_for("a larger thread", [&](const State& state) {
        return state.at("settled").get<bool>() && rect_of(state, "thread").height > 1.3 * before;
    });
    const Rect thread = widget("thread");
    EXPECT_EQ(program->pixel(thread.inside()), rgb(viz::warp_colour(theme, 0)));
    EXPECT_EQ(program->pixel(thread.away(1, 1)), rgb(viz::warp_colour(theme, 1)));
    expect_hint(thread.away(7, 3), "is number 103, warp 3, lane 7");
    EXPECT_FALSE(says(program->state().at("tip").get<std::string>(), "its ids follow by arithmetic"))
        << "the block that was chosen was recorded";
    EXPECT_FALSE(says(program->state().at("tip").get<std::string>(), "surplus"));
    expect_hint(thread.away(8, 3), "is number 104, warp 3, lane 8, surplus");
    program->click(thread.away(3, 2));
    program->wait_for("the thread that was clicked",
                      [&](const State& state) { return rect_of(state, "thread").top > thread.top + 10; });
    EXPECT_EQ(program->pixel(widget("thread").inside()), rgb(viz::warp_colour(theme, 2)));
}

// The plan fills its area. The path from the grid to the thread zooms into the plan.
TEST_F(Views, HierarchyFillsTheRoomAndGoesDownThePath)
{
    open({"--stage", "swizzled", "--view", "hierarchy"});
    const Rect plan = widget("plan"), thread = widget("thread");
    EXPECT_NEAR(32 * thread.width, plan.width, 40);
    EXPECT_NEAR(8 * thread.height, plan.height, 20);
    program->click("path 2");
    program->wait_for("the warp in the middle", [&](const State& state) {
        const Rect now = rect_of(state, "thread");
        return state.at("settled").get<bool>() && now.top > thread.top - 3 && now.height < plan.height &&
               std::abs(now.width - 0.8 * plan.width / 32) < 2;
    });
    // The camera follows the selected thread, even if another one is selected later.
    program->click("path 3");
    const auto in_sight = [&](const State& state) {
        const Rect now = rect_of(state, "thread");
        const Point middle = now.middle();
        return state.at("settled").get<bool>() && now.width > 100 && middle.x < plan.right() &&
               middle.y < plan.bottom();
    };
    program->wait_for("the thread in sight", in_sight);
    program->press("l");
    program->wait_for("the next lane in sight", mentions("command", "lane=1"), in_sight);
    program->click("path 0");
    program->wait_for("all of the grid",
                      [&](const State& state) { return std::abs(rect_of(state, "thread").width - thread.width) < 1; });
}

// In a narrow panel, the cost of a line is below its number, in a short form. The tooltip has all digits.
TEST_F(Views, TheSourceLeavesItsLinesToTheCode)
{
    open({"--stage", "vectorized", "--view", "flow"});
    program->wait_for("what the line cost", shown("figure of line 93"));
    const Rect figure = widget("figure of line 93"), view = widget("view");
    EXPECT_LT(figure.left - view.left - view.width, 10) << "at the left edge";
    expect_hint(program->middle("figure of line 93"), "16,384 · 8,192");
}

// The path continues from the thread to its elements, and to the sum of one of them.
TEST_F(Views, HierarchyGoesOnToTheSumOfAnElement)
{
    open({"--stage", "swizzled", "--view", "hierarchy"});
    EXPECT_FALSE(shows("sum of C(0, 0)"));
    program->click("path 3");
    program->wait_settled();
    const Rect thread = widget("thread");
    expect_hint(thread.at(0.3, 0.5), "C(3, 2), a sum of 128 products");
    program->click("path 4");
    program->wait_settled("the sum, written out", shown("sum of C(0, 0)"));
    EXPECT_GT(widget("sum of C(0, 0)").width, 0.6 * widget("plan").width);
    expect_words_apart(program->state());
}

// Checks the text at each level: grid, block, warp, thread and results.
TEST_F(Views, WordsOfTheHierarchyStandApart)
{
    const auto zoom_in = [&](const std::string& what) {
        for (int level = 0; level < 4; ++level) {
            SCOPED_TRACE(what + ", level " + std::to_string(level));
            program->wait_settled();
            EXPECT_FALSE(program->state().at("words").empty());
            expect_words_apart(program->state());
            program->press("z");
        }
    };
    open({"--show", "stage=vectorized view=hierarchy"});
    zoom_in("one stage");
    program->state();
    open({"--show", "stage=naive compare=swizzled view=hierarchy"});
    program->wait_for("both plans", shown("plan of swizzled"));
    zoom_in("two stages");
}

TEST_F(Views, HierarchyComputesTypedLaunches)
{
    open({"--stage", "vector_add", "--view", "hierarchy"});
    program->press("e");
    program->wait_for("a field", shown("typing:block"));
    type("24x4");
    program->wait_for("what was typed", shown("plan of 24x4"));
    // Thread (5,2) is number 5 + 2 x 24.
    expect_hint(widget("thread").away(5, 2), "hread (5,2) is number 53, warp 1, lane 21");
    program->click("plan");
    program->wait_for("the field left", shown("field:block"));
    program->press("y");
    program->wait_for("x downwards", shown("plan of 24x4 swapped"));
    expect_hint(widget("thread").away(2, 5), "hread (5,2) is number 53, warp 1, lane 21");
}

// An element of C that was clicked is in line with its row of A and its column of B, even if its block was not
// recorded.
TEST_F(Views, ThreadsShowTheRowAndTheColumnOfAnElement)
{
    open({"--stage", "coalesced", "--view", "threads"});
    const Rect map = widget("map of C");
    const Point there = map.at(0.601, 0.302);
    expect_hint(there, "C(38, 76): block (2,1)");
    program->click(there);
    program->wait_for("the row and the column", [&](const State& state) {
        const Rect row = rect_of(state, "row of A");
        const Rect col = rect_of(state, "column of B");
        return row.top <= there.y && there.y <= row.bottom() && col.left <= there.x && there.x <= col.right();
    });
    const Rect row = widget("row of A");
    EXPECT_EQ(program->pixel(row.middle()), rgb(theme.ink));
    EXPECT_NEAR(row.top - map.top, 38.0 / 128 * map.height, 2);
    // k = 32 of 128 is at a quarter of the row.
    expect_hint(row.at(0.252, 0.5), "A(38, 32) times B(32, 76)");
}

// The point is on the curve at its value. Keys and clicks move it.
TEST_F(Views, OccupancyMovesItsPointAlongTheCurve)
{
    open({"--stage", "vectorized", "--view", "occupancy"});
    // The recording is from the CPU and has no number of registers, and nothing is shipped. So the curve has no point,
    // and no slot is filled.
    EXPECT_TRUE(shows("headline:Registers unknown: at most 64 of 64 warps"));
    EXPECT_TRUE(shows("slot:unknown"));
    EXPECT_FALSE(shows("slot:0 0"));
    EXPECT_FALSE(shows("point:registers per thread"));
    const auto point = [&] { return program->middle("point:registers per thread"); };
    const auto choose = [&](int registers) {
        const Rect chart = widget("chart:registers per thread");
        const double along = (registers - 1) / 254.0 * chart.width;
        program->click(Point{static_cast<int>(std::lround(chart.left + along)), chart.middle().y});
    };
    choose(32);
    program->wait_for("a point", shown("point:registers per thread"));
    const Rect chart = widget("chart:registers per thread");
    const double share = (point().x - chart.left) / chart.width;
    EXPECT_NEAR(share, 31.0 / 254, 0.02) << "32 registers on an axis from 1 to 255";
    EXPECT_NEAR(point().y, chart.top, 2) << "256 threads with 32 registers fill the SM";
    EXPECT_EQ(program->pixel(point()), rgb(theme.accent()));
    choose(105);
    // Relative to the chart, because the text above it may change its height.
    const auto depth = [](const State& state) {
        const Rect area = rect_of(state, "chart:registers per thread");
        return (rect_of(state, "point:registers per thread").middle().y - area.top) / area.height;
    };
    program->wait_for("16 of 64 warps with 105 registers",
                      [&](const State& state) { return std::abs(depth(state) - 0.75) < 0.02; });
    // Two blocks of 8 warps fill their slots. A third one would need more registers than there are.
    EXPECT_EQ(program->pixel(widget("slot:0 7").inside()), rgb(theme.accent()));
    EXPECT_TRUE(shows("slot:1 7"));
    EXPECT_FALSE(shows("slot:2 0"));
    EXPECT_GT(widget("next:registers").right(), widget("limit:registers").right() + 10);
    EXPECT_LT(widget("next:warps per SM").right(), widget("limit:warps per SM").right());
    program->press("e");
    program->wait_for("the stage's own values, which are not known", gone("point:registers per thread"));
}

TEST_F(Views, OccupancyShowsWhatWarpsHaveUnderWay)
{
    test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_file(test::shipped("gpu.json"));
    open({"--stage", "vectorized", "--view", "occupancy"}, recordings_in(folder.path()));
    program->resize({1600, 1400});
    program->wait_for("the need", shown("waiting:needed"));
    EXPECT_FALSE(program->state().at("drawn").at("waiting:has").contains("value"))
        << "nobody knows how many warps there are";
    const Rect chart = widget("chart:registers per thread");
    program->click(chart.at(31.0 / 254, 0.5));
    program->wait_for("both bars",
                      [](const State& state) { return state.at("drawn").at("waiting:has").contains("value"); });
    const auto length = [&](const char* name) { return widget(name).width; };
    // 64 warps with 32 registers per thread have two loads of 512 bytes each. The need of DRAM is from shipped
    // measurements.
    const State gpu = State::parse(std::ifstream(test::shipped("gpu.json")));
    const State& measured = gpu.at("measured");
    const double needed = measured.at("latency").back().at("ns").get<double>() *
                          measured.at("bandwidth").back().at("gbps").get<double>() /
                          gpu.at("gpu").at("sm_count").get<double>();
    EXPECT_NEAR(length("waiting:needed") / length("waiting:has"), needed / (64 * 1024), 0.01);
    // The mark on the measured curves is at the same number of bytes. 64 warps with 16 bytes per lane have half as
    // many.
    EXPECT_GT(widget("streaming:has").left, widget("streaming:16:64").left + 10);
    EXPECT_EQ(program->pixel(program->middle("waiting:has")), rgb(theme.accent()));
    // Measurements of the shipped GPU are not shown for another GPU.
    program->press("g");
    program->wait_for("that it was measured elsewhere", shown("picture:waiting:elsewhere"));
    for (const char* measured_here : {"waiting:has", "waiting:needed", "streaming:has", "streaming:16:64"})
        EXPECT_FALSE(shows(measured_here)) << measured_here;
}

// Figures of hardware counters have one badge, and measurements of the GPU have another.
TEST_F(Views, CountersAndMeasurementsSayWhichGpuAndWhen)
{
    test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_file(test::data("counters.json")); // of 128³
    folder.put_file(test::shipped("gpu.json"));
    open({"--show", "stage=vectorized view=global size=128"}, recordings_in(folder.path()));
    program->resize({1600, 1000});
    program->wait_for("the counters' badge", shown("origin:counter"));
    EXPECT_FALSE(shows("origin:shipped"));
    expect_hint(program->middle("origin:counter"),
                "Counter: NVIDIA H200 (2026-11-21, shipped with gemmscope) itself counted it");
    program->show_view("occupancy");
    program->wait_for("both badges", shown("origin:counter", "origin:shipped"));
    const State gpu = State::parse(std::ifstream(test::shipped("gpu.json")));
    expect_hint(program->middle("origin:shipped"),
                "Shipped: it comes with gemmscope, from " + gpu.at("gpu").at("name").get<std::string>() + ", " +
                    gpu.at("measured").at("measured_at").get<std::string>().substr(0, 10));
    program->show_view("banks");
    program->wait_for("no counter, but the cost of a conflict, which is shipped", gone("origin:counter"),
                      shown("origin:shipped"));
}

// Without figures there is no badge.
TEST_F(Views, NoBadgeWithoutNumbers)
{
    test::ShippedFolder folder;
    folder.put_recording("vectorized");
    open({"--stage", "vectorized", "--view", "roofline"}, recordings_in(folder.path()));
    program->wait_for("what is derived", shown("origin:derived"));
    EXPECT_FALSE(shows("origin:shipped"));
    EXPECT_FALSE(shows("origin:measured"));
}

// By default, the view compares with the stage below while it is visible. The bars are as long as their figures.
TEST_F(Views, FasterComparesWithTheRungBelow)
{
    open({"--stage", "linearized_b", "--view", "faster"});
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    expect_words_apart(program->state());
    const Rect more = widget("bar:loads 0"), fewer = widget("bar:loads 1");
    EXPECT_NEAR(fewer.width / more.width, 4096.0 / 10240, 0.01);
    // All kinds of work have one scale: a wavefront is as long as a line of global memory.
    const auto length = [&](const char* name) { return widget(name).width; };
    EXPECT_NEAR(length("work:shared-memory wavefronts 1") / length("work:shared-memory wavefronts 0"),
                length("bar:wavefronts 1") / length("bar:wavefronts 0"), 0.02);
    EXPECT_LT(length("work:global-memory lines 0"), length("work:shared-memory wavefronts 0"));
    EXPECT_EQ(program->pixel(more.middle()), rgb(theme.accent()));
    EXPECT_EQ(program->pixel(fewer.middle()), rgb(theme.accent(1)));
    expect_hint(fewer.middle(), "loads: 4.88 in linearized_b, 1.95 in vectorized");
    expect_hint(widget("mapping 1").inside(), "): warp 0, lane 0");
    EXPECT_EQ(program->pixel(widget("line:added").inside(1, 1)), rgb(viz::mix(theme.background, theme.accent(), 0.2f)));
    program->press("Down");
    program->wait_settled("the next rung and the one that it builds on", is("stage", "padded_b"),
                          is("compare", "vectorized"));
    program->show_view("occupancy");
    program->wait_for("one stage", is("compare", ""));
    program->show_view("faster");
    program->wait_for("two stages", is("compare", "vectorized"));
    program->press("Down", false);
    program->press("c"); // ends the comparison; the view sets its default again
    program->wait_for("what padded_a builds on", is("stage", "padded_a"), is("compare", "vectorized"));
}

// A stage that the user chose for comparison stays.
TEST_F(Views, FasterKeepsTheChosenRung)
{
    open({"--stage", "swizzled", "--compare", "vectorized", "--view", "faster"});
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    EXPECT_FALSE(shows("line:added")) << "both run the same code";
    program->press("Up");
    program->wait_for("another first stage", is("stage", "swizzled_reads_indexed"));
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    program->press("k");
    program->show_view("occupancy");
    program->wait_for("another view", is("view", "occupancy"));
    EXPECT_EQ(program->state().at("compare"), "vectorized");
}

// Copies are in flight during the computation of an earlier k-tile. A click on the lanes goes to that step.
TEST_F(Views, TilingShowsThePipelineAsLanes)
{
    open({"--stage", "async_copy", "--view", "tiling"});
    EXPECT_LT(widget("copy of k-tile 3").left, widget("compute of k-tile 1").left);
    EXPECT_GT(widget("copy of k-tile 3").right(), widget("compute of k-tile 1").right());
    EXPECT_LE(widget("copy of k-tile 2").right(), widget("compute of k-tile 2").left);
    const auto near_end = [&](const char* name) {
        return Point{static_cast<int>(widget(name).right()) - 4, program->middle(name).y};
    };
    EXPECT_EQ(program->pixel(near_end("copy of k-tile 3")), rgb(theme.load));
    EXPECT_EQ(program->pixel(near_end("compute of k-tile 3")), rgb(theme.compute));
    expect_hint(near_end("copy of k-tile 3"), "k-tile 3: its copy is under way");
    const Point there = near_end("compute of k-tile 3");
    program->click(there);
    program->wait_for("the mark where the click was",
                      [&](const State& state) { return std::abs(rect_of(state, "cursor").left - there.x) < 6; });
    EXPECT_NE(program->pixel({there.x - 20, there.y}), program->pixel(there)) << "the mark lies over the bar";
    expect_words_apart(program->state());
}

// For the selected lane, a line leads from its element of A to the place in As.
TEST_F(Views, TilingShowsWhereAWordGoes)
{
    open({"--stage", "shared_tile", "--view", "tiling"});
    step_until("move to As");
    const Rect way = widget("move to As"), tile = widget("tile As");
    EXPECT_GE(way.right(), tile.left);
}

// A strip shows all of K. A click on a k-tile goes to its computation. In a narrow comparison, the stages of a ring
// keep their sizes.
TEST_F(Views, TilingFillsTheRoomAndGoesToAKTile)
{
    open({"--stage", "double_buffered_halves", "--compare", "warp_tile", "--view", "tiling"});
    program->resize({1280, 800});
    program->wait_for("the strip", [&](const State& state) {
        const State& widgets = state.at("widgets");
        return state.at("width") == 1280 && widgets.contains("k-tile 5") && widgets.contains("tile Bs[1]");
    });
    program->point_at({3, 3}); // draws more frames, because the first ones after a resize may have the old layout
    for (const char* tile : {"tile As[0]", "tile As[1]", "tile Bs[0]", "tile Bs[1]"}) {
        EXPECT_GT(widget(tile).width, 120) << tile;
        EXPECT_GT(widget(tile).height, 15) << tile;
    }
    EXPECT_NE(program->pixel(widget("k-tile 5").inside()), rgb(theme.compute));
    expect_words_apart(program->state());
    program->click("k-tile 5");
    program->wait_for("k-tile 5 under way",
                      [&](const State&) { return program->pixel(widget("k-tile 5").inside()) == rgb(theme.compute); });
}

// 32 does not divide 100, so the last tile is smaller, even for a block at the edge. A lane without a result gets the
// elements that it copies.
TEST_F(Views, TilingHasTrueBordersWhereTilesAreCutOff)
{
    open({"--show", "stage=shared_tile view=tiling size=100 block=3,0 warp=3 lane=20 step=0"});
    program->wait_for("the last k-tile", shown("k-tile 4 of A", "move to lane"));
    const auto width = [&](const char* name) { return widget(name).width; };
    EXPECT_NEAR(width("k-tile 4 of A") / width("k-tile 1 of A"), 4.0 / 32, 0.02);
    EXPECT_NEAR(width("slice of A"), width("k-tile 1 of A"), 2);
    EXPECT_NEAR(width("tile of block (3,0)") / width("tile of block (0,0)"), 4.0 / 32, 0.02);
    const Rect way = widget("move to lane");
    const Point end = way.at(1, 1);
    EXPECT_EQ(program->pixel({end.x - 8, end.y + 5}), rgb(theme.ink)) << "the selected lane's cell";
}

// An element that was chosen in one view is shown in the other, which changes to its block.
TEST_F(Views, HierarchyTakesTheBlockOfAnElementChosenInThreads)
{
    open({"--stage", "naive", "--view", "threads"});
    program->wait_for("the map", shown("map of C"));
    program->press("0");
    program->wait_settled();
    const Rect map = widget("map of C");
    program->click(map.at(0.3, 0.3));
    program->wait_for("an element of another block", mentions("hint", "block"));
    program->wait_for("its recording", mentions("command", "block=1,1"), lacks("hint", "other views show block"));
    program->show_view("hierarchy");
    program->wait_for("that block", [&](const State&) { return figure_says("block (1,1)"); });
}

// The numbers in C are not its values. The text above says what they are.
TEST_F(Views, ThreadsSayWhatTheNumbersInCAre)
{
    open({"--stage", "vectorized", "--view", "threads", "--tiny"});
    program->wait_for("the numbers of threads", [&](const State&) { return figure_says("numbers in C: threads"); });
    expect_words_apart(program->state());
    program->press("o");
    program->wait_for("the numbers of warps", [&](const State&) { return figure_says("numbers in C: warps"); });
    EXPECT_TRUE(shows("sum")) << "the sum ends with its result";
}

// All views share the selection: the block of a clicked element, and a block chosen in another view.
TEST_F(Views, ThreadsAndOtherViewsShowTheSameBlock)
{
    open({"--show", "stage=shared_tile view=threads block=1,2"});
    const auto marked = [](const State& state, int row, int col) {
        if (!has_widget(state, "selected block"))
            return false;
        const Rect map = rect_of(state, "map of C"), block = rect_of(state, "selected block");
        return std::abs(block.left - map.left - col * block.width) < 2 &&
               std::abs(block.top - map.top - row * block.height) < 2;
    };
    program->wait_for("the block that was chosen", [&](const State& state) { return marked(state, 2, 1); });
    const Rect map = widget("map of C"), block = widget("selected block");
    program->click(
        Point{static_cast<int>(map.left + 0.52 * block.width), static_cast<int>(map.top + 1.52 * block.height)});
    program->wait_for("the block that was clicked",
                      [&](const State& state) { return marked(state, 1, 0) && has(state, "command", "block=0,1"); });
    // Each of these views has a text about the clicked element.
    for (const auto& [view, words] : {std::pair{"flow", "C(48, 16)"}, {"reuse", "global: A(48, "}}) {
        program->show_view(view);
        program->wait_for(std::string("that element in ") + view, [words = std::string(words)](const State& state) {
            return std::ranges::any_of(state.at("words"), [&](const State& one) {
                return one.at("words").get<std::string>().starts_with(words);
            });
        });
    }
    program->show_view("hierarchy");
    program->wait_for("that block in hierarchy", [&](const State&) { return figure_says("block (0,1)"); });
}

// After the first barrier, warps read what other warps stored in the tiles. After the second one, they overwrite it.
TEST_F(Views, TilingShowsWhatABarrierGuards)
{
    open({"--stage", "shared_tile", "--view", "tiling"});
    step_until("read too early");
    const Rect early = widget("read too early");
    EXPECT_FALSE(shows("overwritten too early"));
    const Point below = early.away(0, 1);
    EXPECT_EQ(program->pixel(below), rgb(theme.barrier)) << "a barrier is no alarm";
    EXPECT_TRUE(has_colour(widget("picture:lanes of shared_tile"), rgb(theme.warning))) << "they wait";
    expect_words_apart(program->state());
    step_until("overwritten too early");
    EXPECT_FALSE(shows("read too early"));
    EXPECT_NE(program->pixel(below), rgb(theme.barrier));
}

// A shuffle is drawn from the source lane to the lane that gets its value, in the source's colour.
TEST_F(Views, RegistersShowWhereAShuffleReads)
{
    open({"--stage", "warp_shuffle", "--view", "registers"});
    program->wait_for("the first shuffle, though loads come before it", shown("to 9"));
    EXPECT_EQ(program->pixel(widget("to 13").inside()), program->pixel(widget("from 8").inside()))
        << "lanes 8-15 ask lane 8";
    EXPECT_NE(program->pixel(widget("to 13").inside()), program->pixel(widget("to 17").inside()));
    expect_hint(program->middle("to 13"), "lane 13 gets the value of lane 8");
    expect_hint(program->middle("from 8"), "Lane 8 gives its value to lanes 8-15");
    program->click("to 13");
    program->wait_for("lane 13", [&](const State&) { return is_framed(widget("to 13")); });
}

// vectorized: lane 17 multiplies rows of A, which lanes 16-31 share, by columns 8-15 of B.
TEST_F(Views, RegistersShowTheOuterProduct)
{
    open({"--stage", "vectorized", "--view", "registers"});
    const Rect mine = widget("product of lane 17");
    EXPECT_EQ(program->pixel(mine.inside()), rgb(viz::lane_colour(theme, 17)));
    expect_hint(mine.inside(), "lane 17 multiplies A(8, ");
    program->click(mine.inside());
    program->wait_for("lane 17's rows of A", [&](const State& state) {
        const Rect rows = rect_of(state, "fragment A");
        return std::abs(rows.top - mine.top) < 2;
    });
    EXPECT_TRUE(is_framed(mine)) << "framed as the selected item";
    EXPECT_NEAR(widget("fragment B").left, mine.left, 2);
    EXPECT_EQ(program->pixel(widget("fragment A").inside()), rgb(viz::draw::operand_colour(theme, 0)));
}

// Small whole numbers are exact in 16 bits. The elements that ldmatrix loads have exact values.
TEST_F(Views, RegistersShowTheValuesThatLdmatrixBrings)
{
    open({"--stage", "mma_ldmatrix", "--view", "registers", "--inputs", "small"});
    program->wait_for("the elements", [](const State& state) { return state.at("drawn").contains("matrix 0(0,0)"); });
    std::set<int> values; // "lane value"
    for (const auto& [name, mark] : program->state().at("drawn").items()) {
        int lane = 0, value = 0;
        if (name.starts_with("matrix 0(") &&
            std::sscanf(mark.at("label").get<std::string>().c_str(), "%d %d", &lane, &value) == 2) {
            EXPECT_EQ(mark.at("value"), lane);
            values.insert(value);
        }
    }
    EXPECT_GT(values.size(), 2u);
    EXPECT_GE(*values.begin(), 1);
    EXPECT_LE(*values.rbegin(), 5);
}

// The layout of mma.m16n8k16 by the PTX manual: lane 5 holds A(1, 2) first, B(2, 1), and the sum (1, 2).
TEST_F(Views, RegistersShowTheFragmentsOfAProduct)
{
    open({"--stage", "mma_ldmatrix", "--view", "registers"});
    program->wait_for("an ldmatrix", shown("element of matrix 3"));
    const Point fifth = widget("element of matrix 0").away(2, 1); // elements 2 and 3 of row 1
    expect_hint(fifth, "lies in the row that lane 1 points at; lane 5 gets it");
    program->click(fifth);
    step_until("A of lane 5");
    EXPECT_TRUE(is_framed(widget("A of lane 5"))) << "framed as the selected item";
    expect_hint(program->middle("A of lane 5"), "A(1, 2) of this product is held by lane 5, as number 0 of its 8");
    expect_hint(program->middle("B of lane 5"), "B(2, 1) of this product is held by lane 5, as number 0 of its 4");
    expect_hint(program->middle("sums of lane 5"), "sums(1, 2) of this product is held by lane 5");
}

// WMMA does not specify which lane holds which element. The view shows three fragments without lanes.
TEST_F(Views, RegistersShowWhatIsKnownOfWmma)
{
    open({"--stage", "wmma", "--view", "registers"});
    program->wait_for("the sums", shown("fragment sums"));
    EXPECT_NEAR(widget("fragment A").width, widget("fragment sums").width, 2);
    expect_hint(program->middle("fragment B"), "all 32 lanes hold it together, 8 elements each");
}

class Barriers : public Views {};

// The row above a view leads to the races of a kernel. A click on an access selects its step and its lane.
TEST_F(Barriers, ShowWhoRacesAndWhichBarrierIsMissing)
{
    open({"--show", "stage=shared_tile file=programs/warp_race.gscope view=banks"}, shipped_without_gpu());
    program->wait_for("the row", shown("races:show"));
    program->click("races:show");
    program->wait_for("the races", is("view", "barriers"), shown("first writes 1", "second reads 1", "other order 1"),
                      gone("races:show"));
    EXPECT_FALSE(shows("barrier 1"));
    EXPECT_TRUE(shows("missing 1"));
    EXPECT_GT(widget("second reads 1").left, widget("first writes 1").right());
    EXPECT_LT(widget("other order 1").right(), widget("first writes 1").left);
    const State before = program->state().at("step");
    program->click("first writes 1");
    program->wait_for("its step", is_not("step", before));
    EXPECT_TRUE(says(program->state().at("command").get<std::string>(), "lane=16"));
}

// The barrier of a tiled kernel stands between the warp that writes and the one that reads.
TEST_F(Barriers, StandBetweenTwoWarps)
{
    open({"--show", "stage=shared_tile view=barriers op=barrier"});
    program->wait_for("the picture", shown("first writes 1", "barrier 1", "second reads 1"));
    EXPECT_FALSE(shows("other order 1"));
    EXPECT_GT(widget("barrier 1").left, widget("first writes 1").right());
    EXPECT_LT(widget("barrier 1").right(), widget("second reads 1").left);
}

} // namespace
