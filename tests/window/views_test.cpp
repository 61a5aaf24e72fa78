// The views that show one aspect each: what they draw, read back from the screen.
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
using test::says;

TEST_F(Views, HierarchyZoomsToTheThreadAndTellsTheSurplusOnes)
{
    open({"--stage", "vector_add", "--view", "hierarchy"});
    display.press_while("Alt_L", "N"); // the block before the first is the last
    const double before = widget("thread").at(3);
    program->press("z");
    program->wait_for("a larger thread", [&](const State& state) {
        return state.at("settled").get<bool>() && state.at("widgets").at("thread").at(3).get<double>() > 1.3 * before;
    });
    const State thread = widget("thread");
    EXPECT_EQ(program->pixel(near_corner(thread)), rgb(viz::warp_colour(theme, 0)));
    EXPECT_EQ(program->pixel(cell_away(thread, 1, 1)), rgb(viz::warp_colour(theme, 1)));
    expect_hint(cell_away(thread, 7, 3), "is number 103, warp 3, lane 7");
    EXPECT_FALSE(says(program->state().at("tip").get<std::string>(), "its ids follow by arithmetic"))
        << "the block that was chosen was recorded";
    EXPECT_FALSE(says(program->state().at("tip").get<std::string>(), "surplus"));
    expect_hint(cell_away(thread, 8, 3), "is number 104, warp 3, lane 8, surplus");
    program->click(cell_away(thread, 3, 2));
    program->wait_for("the thread that was clicked", [&](const State& state) {
        return state.at("widgets").at("thread").at(1).get<double>() > thread.at(1).get<double>() + 10;
    });
    EXPECT_EQ(program->pixel(near_corner(widget("thread"))), rgb(viz::warp_colour(theme, 2)));
}

// The plan fills its place, and the steps from the grid to the thread are a way into it.
TEST_F(Views, HierarchyFillsTheRoomAndGoesDownThePath)
{
    open({"--stage", "swizzled", "--view", "hierarchy"});
    const State plan = widget("plan"), thread = widget("thread");
    EXPECT_NEAR(32 * thread.at(2).get<double>(), plan.at(2).get<double>(), 40);
    EXPECT_NEAR(8 * thread.at(3).get<double>(), plan.at(3).get<double>(), 20);
    program->click("path 2");
    program->wait_for("the warp in the middle", [&](const State& state) {
        const State& now = state.at("widgets").at("thread");
        return state.at("settled").get<bool>() && now.at(1).get<double>() > thread.at(1).get<double>() - 3 &&
               now.at(3).get<double>() < plan.at(3).get<double>() &&
               std::abs(now.at(2).get<double>() - 0.8 * plan.at(2).get<double>() / 32) < 2;
    });
    // The way in leads to the thread that is selected, also where it is chosen in another way.
    program->click("path 3");
    const auto in_sight = [&](const State& state) {
        const State& now = state.at("widgets").at("thread");
        const test::Point middle = test::middle_of(now);
        return state.at("settled").get<bool>() && now.at(2).get<double>() > 100 && middle.x < test::right_of(plan) &&
               middle.y < test::bottom_of(plan);
    };
    program->wait_for("the thread in sight", in_sight);
    program->press("l");
    program->wait_for("the next lane in sight",
                      [&](const State& state) { return test::has(state, "command", "lane=1") && in_sight(state); });
    program->click("path 0");
    program->wait_for("all of the grid", [&](const State& state) {
        return std::abs(state.at("widgets").at("thread").at(2).get<double>() - thread.at(2).get<double>()) < 1;
    });
}

// In a narrow panel what a line cost stands below its number, in few digits, and the pointer is told all of them.
TEST_F(Views, TheSourceLeavesItsLinesToTheCode)
{
    open({"--stage", "vectorized", "--view", "flow"});
    program->wait_for("what the line cost",
                      [](const State& state) { return state.at("widgets").contains("figure of line 93"); });
    const State figure = widget("figure of line 93"), view = widget("view");
    EXPECT_LT(figure.at(0).get<double>() - view.at(0).get<double>() - view.at(2).get<double>(), 10)
        << "at the left edge";
    expect_hint(program->middle("figure of line 93"), "16,384 · 8,192");
}

// And on, from the thread to what it writes and to the sum of one element.
TEST_F(Views, HierarchyGoesOnToTheSumOfAnElement)
{
    open({"--stage", "swizzled", "--view", "hierarchy"});
    EXPECT_FALSE(program->state().at("widgets").contains("sum of C(0, 0)"));
    program->click("path 3");
    program->wait_settled();
    const State thread = widget("thread");
    expect_hint({static_cast<int>(thread.at(0).get<double>() + 0.3 * thread.at(2).get<double>()),
                 static_cast<int>(thread.at(1).get<double>() + 0.5 * thread.at(3).get<double>())},
                "C(3, 2), a sum of 128 products");
    program->click("path 4");
    program->wait_for("the sum, written out", [](const State& state) {
        return state.at("settled").get<bool>() && state.at("widgets").contains("sum of C(0, 0)");
    });
    EXPECT_GT(widget("sum of C(0, 0)").at(2).get<double>(), 0.6 * widget("plan").at(2).get<double>());
    expect_words_apart(program->state());
}

// With all of the grid, the block, the warp, the thread and its results in sight.
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
    program->wait_for("both plans",
                      [](const State& state) { return state.at("widgets").contains("plan of swizzled"); });
    zoom_in("two stages");
}

TEST_F(Views, HierarchyComputesTypedLaunches)
{
    open({"--stage", "vector_add", "--view", "hierarchy"});
    program->press("e");
    program->wait_for("a field", [](const State& state) { return state.at("widgets").contains("typing:block"); });
    type("24x4");
    program->wait_for("what was typed",
                      [](const State& state) { return state.at("widgets").contains("plan of 24x4"); });
    // Thread (5,2) is number 5 + 2 x 24.
    expect_hint(cell_away(widget("thread"), 5, 2), "hread (5,2) is number 53, warp 1, lane 21");
    program->click("plan");
    program->wait_for("the field left", [](const State& state) { return state.at("widgets").contains("field:block"); });
    program->press("y");
    program->wait_for("x downwards",
                      [](const State& state) { return state.at("widgets").contains("plan of 24x4 swapped"); });
    expect_hint(cell_away(widget("thread"), 2, 5), "hread (5,2) is number 53, warp 1, lane 21");
}

// An element of C that is clicked, its row of A and its column of B lie on one line, also of a block that was not recorded.
TEST_F(Views, ThreadsShowTheRowAndTheColumnOfAnElement)
{
    open({"--stage", "coalesced", "--view", "threads"});
    const State map = widget("map of C");
    const test::Point there{static_cast<int>(map.at(0).get<double>() + 0.601 * map.at(2).get<double>()),
                            static_cast<int>(map.at(1).get<double>() + 0.302 * map.at(3).get<double>())};
    expect_hint(there, "C(38, 76): block (2,1)");
    program->click(there);
    program->wait_for("the row and the column", [&](const State& state) {
        const State& row = state.at("widgets").at("row of A");
        const State& col = state.at("widgets").at("column of B");
        return row.at(1).get<double>() <= there.y && there.y <= test::bottom_of(row) &&
               col.at(0).get<double>() <= there.x && there.x <= test::right_of(col);
    });
    const State row = widget("row of A");
    EXPECT_EQ(program->pixel(test::middle_of(row)), rgb(theme.ink));
    EXPECT_NEAR(row.at(1).get<double>() - map.at(1).get<double>(), 38.0 / 128 * map.at(3).get<double>(), 2);
    // A quarter of the way along the row: k = 32 of 128.
    expect_hint({static_cast<int>(row.at(0).get<double>() + 0.252 * row.at(2).get<double>()), test::middle_of(row).y},
                "A(38, 32) times B(32, 76)");
}

// The point lies on the curve at its value, and moves with the keys and with a click.
TEST_F(Views, OccupancyMovesItsPointAlongTheCurve)
{
    open({"--stage", "vectorized", "--view", "occupancy"});
    // The CPU does not say the registers, and nothing is shipped: no point on the curve, and no slot is filled.
    EXPECT_TRUE(program->state().at("widgets").contains("headline:Registers unknown: at most 64 of 64 warps"));
    EXPECT_TRUE(program->state().at("widgets").contains("slot:unknown"));
    EXPECT_FALSE(program->state().at("widgets").contains("slot:0 0"));
    EXPECT_FALSE(program->state().at("widgets").contains("point:registers per thread"));
    const auto point = [&] { return test::middle_of(widget("point:registers per thread")); };
    const auto choose = [&](int registers) {
        const State& chart = widget("chart:registers per thread");
        const double along = (registers - 1) / 254.0 * chart.at(2).get<double>();
        program->click(
            test::Point{static_cast<int>(std::lround(chart.at(0).get<double>() + along)), test::middle_of(chart).y});
    };
    choose(32);
    program->wait_for("a point",
                      [](const State& state) { return state.at("widgets").contains("point:registers per thread"); });
    const State chart = widget("chart:registers per thread");
    const double share = (point().x - chart.at(0).get<double>()) / chart.at(2).get<double>();
    EXPECT_NEAR(share, 31.0 / 254, 0.02) << "32 registers on an axis from 1 to 255";
    EXPECT_NEAR(point().y, chart.at(1).get<double>(), 2) << "256 threads with 32 registers fill the SM";
    EXPECT_EQ(program->pixel(point()), rgb(theme.accent()));
    choose(105);
    // 0 at the top: the words above may become longer or shorter, and move the chart.
    const auto depth = [](const State& state) {
        const State& area = state.at("widgets").at("chart:registers per thread");
        const double y = test::middle_of(state.at("widgets").at("point:registers per thread")).y;
        return (y - area.at(1).get<double>()) / area.at(3).get<double>();
    };
    program->wait_for("16 of 64 warps with 105 registers",
                      [&](const State& state) { return std::abs(depth(state) - 0.75) < 0.02; });
    // Two blocks of 8 warps have their slots; the third would need registers beyond the file's end.
    EXPECT_EQ(program->pixel(near_corner(widget("slot:0 7"))), rgb(theme.accent()));
    EXPECT_TRUE(program->state().at("widgets").contains("slot:1 7"));
    EXPECT_FALSE(program->state().at("widgets").contains("slot:2 0"));
    const auto right = [&](const char* name) {
        return widget(name).at(0).get<double>() + widget(name).at(2).get<double>();
    };
    EXPECT_GT(right("next:registers"), right("limit:registers") + 10);
    EXPECT_LT(right("next:warps per SM"), right("limit:warps per SM"));
    program->press("e");
    program->wait_for("the stage's own values, which are not known",
                      [&](const State& state) { return !state.at("widgets").contains("point:registers per thread"); });
}

TEST_F(Views, OccupancyShowsWhatWarpsHaveUnderWay)
{
    test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_file(test::shipped("gpu.json"));
    open({"--stage", "vectorized", "--view", "occupancy"}, test::recordings_in(folder.path()));
    program->resize({1600, 1400});
    program->wait_for("the need", [](const State& state) { return state.at("widgets").contains("waiting:needed"); });
    EXPECT_FALSE(program->state().at("drawn").at("waiting:has").contains("value"))
        << "nobody knows how many warps there are";
    const State chart = widget("chart:registers per thread");
    program->click(test::Point{static_cast<int>(chart.at(0).get<double>() + 31.0 / 254 * chart.at(2).get<double>()),
                               test::middle_of(chart).y});
    program->wait_for("both bars",
                      [](const State& state) { return state.at("drawn").at("waiting:has").contains("value"); });
    const auto length = [&](const char* name) { return widget(name).at(2).get<double>(); };
    // Two loads of 512 bytes per warp, and 64 warps with 32 registers. What DRAM needs is measured: as shipped.
    const State gpu = State::parse(std::ifstream(test::shipped("gpu.json")));
    const State& measured = gpu.at("measured");
    const double needed = measured.at("latency").back().at("ns").get<double>() *
                          measured.at("bandwidth").back().at("gbps").get<double>() /
                          gpu.at("gpu").at("sm_count").get<double>();
    EXPECT_NEAR(length("waiting:needed") / length("waiting:has"), needed / (64 * 1024), 0.01);
    // On the measured curves it stands where as many bytes are: 64 warps of 16 bytes a lane have half of them.
    EXPECT_GT(widget("streaming:has").at(0).get<double>(), widget("streaming:16:64").at(0).get<double>() + 10);
    EXPECT_EQ(program->pixel(program->middle("waiting:has")), rgb(theme.accent()));
    // What was measured is of the shipped GPU, and is not shown as another one's.
    program->press("g");
    program->wait_for("that it was measured elsewhere",
                      [](const State& state) { return state.at("widgets").contains("picture:waiting:elsewhere"); });
    for (const char* measured_here : {"waiting:has", "waiting:needed", "streaming:has", "streaming:16:64"})
        EXPECT_FALSE(program->state().at("widgets").contains(measured_here)) << measured_here;
}

// What hardware counters said has a badge of its own, and so has what was measured of the GPU.
TEST_F(Views, CountersAndMeasurementsSayWhichGpuAndWhen)
{
    test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_file(test::data("counters.json")); // of 128³
    folder.put_file(test::shipped("gpu.json"));
    open({"--show", "stage=vectorized view=global size=128"}, test::recordings_in(folder.path()));
    program->resize({1600, 1000});
    program->wait_for("the counters' badge",
                      [](const State& state) { return state.at("widgets").contains("origin:counter"); });
    EXPECT_FALSE(program->state().at("widgets").contains("origin:shipped"));
    expect_hint(program->middle("origin:counter"),
                "Counter: NVIDIA H200 (2026-11-21, shipped with gemmscope) itself counted it");
    program->show_view("occupancy");
    program->wait_for("both badges", [](const State& state) {
        return state.at("widgets").contains("origin:counter") && state.at("widgets").contains("origin:shipped");
    });
    const State gpu = State::parse(std::ifstream(test::shipped("gpu.json")));
    expect_hint(program->middle("origin:shipped"),
                "Shipped: it comes with gemmscope, from " + gpu.at("gpu").at("name").get<std::string>() + ", " +
                    gpu.at("measured").at("measured_at").get<std::string>().substr(0, 10));
    program->show_view("banks");
    program->wait_for("no counter, but the cost of a conflict, which is shipped", [](const State& state) {
        return !state.at("widgets").contains("origin:counter") && state.at("widgets").contains("origin:shipped");
    });
}

// Nothing is there, so no badge says where it is from.
TEST_F(Views, NoBadgeWithoutNumbers)
{
    test::ShippedFolder folder;
    folder.put_recording("vectorized");
    open({"--stage", "vectorized", "--view", "roofline"}, test::recordings_in(folder.path()));
    program->wait_for("what is derived",
                      [](const State& state) { return state.at("widgets").contains("origin:derived"); });
    EXPECT_FALSE(program->state().at("widgets").contains("origin:shipped"));
    EXPECT_FALSE(program->state().at("widgets").contains("origin:measured"));
}

// The rung that it builds on is compared with unasked, for as long as the view is shown; bars are as long as the figures say.
TEST_F(Views, FasterComparesWithTheRungBelow)
{
    open({"--stage", "linearized_b", "--view", "faster"});
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    expect_words_apart(program->state());
    const State more = widget("bar:loads 0"), fewer = widget("bar:loads 1");
    EXPECT_NEAR(fewer.at(2).get<double>() / more.at(2).get<double>(), 4096.0 / 10240, 0.01);
    // All work at one scale: a wavefront is as long as a line of global memory.
    const auto length = [&](const char* name) { return widget(name).at(2).get<double>(); };
    EXPECT_NEAR(length("work:shared-memory wavefronts 1") / length("work:shared-memory wavefronts 0"),
                length("bar:wavefronts 1") / length("bar:wavefronts 0"), 0.02);
    EXPECT_LT(length("work:global-memory lines 0"), length("work:shared-memory wavefronts 0"));
    EXPECT_EQ(program->pixel(test::middle_of(more)), rgb(theme.accent()));
    EXPECT_EQ(program->pixel(test::middle_of(fewer)), rgb(theme.accent(1)));
    expect_hint(test::middle_of(fewer), "loads: 4.88 in linearized_b, 1.95 in vectorized");
    expect_hint(test::near_corner(widget("mapping 1")), "): warp 0, lane 0");
    EXPECT_EQ(program->pixel({widget("line:added").at(0).get<int>() + 1, widget("line:added").at(1).get<int>() + 1}),
              rgb(viz::mix(theme.background, theme.accent(), 0.2f)));
    program->press("Down");
    program->wait_for("the next rung and the one that it builds on", [](const State& state) {
        return state.at("stage") == "padded_b" && state.at("compare") == "vectorized" && state.at("settled");
    });
    program->show_view("occupancy");
    program->wait_for("one stage", [](const State& state) { return state.at("compare") == ""; });
    program->show_view("faster");
    program->wait_for("two stages", [](const State& state) { return state.at("compare") == "vectorized"; });
    program->press("Down", false);
    program->press("c"); // nothing is pointed at in the ladder: stops, and the view asks again
    program->wait_for("what padded_a builds on", [](const State& state) {
        return state.at("stage") == "padded_a" && state.at("compare") == "vectorized";
    });
}

// Whom somebody chose to compare with stays.
TEST_F(Views, FasterKeepsTheChosenRung)
{
    open({"--stage", "swizzled", "--compare", "vectorized", "--view", "faster"});
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    EXPECT_FALSE(program->state().at("widgets").contains("line:added")) << "both run the same code";
    program->press("Up");
    program->wait_for("another first stage",
                      [](const State& state) { return state.at("stage") == "swizzled_reads_indexed"; });
    EXPECT_EQ(program->state().at("compare"), "vectorized");
    program->press("k");
    program->show_view("occupancy");
    program->wait_for("another view", [](const State& state) { return state.at("view") == "occupancy"; });
    EXPECT_EQ(program->state().at("compare"), "vectorized");
}

// Copies are under way while an earlier k-tile is computed; a click on the lanes goes there.
TEST_F(Views, TilingShowsThePipelineAsLanes)
{
    open({"--stage", "async_copy", "--view", "tiling"});
    const auto left = [&](const char* name) { return widget(name).at(0).get<double>(); };
    const auto right = [&](const char* name) { return left(name) + widget(name).at(2).get<double>(); };
    EXPECT_LT(left("copy of k-tile 3"), left("compute of k-tile 1"));
    EXPECT_GT(right("copy of k-tile 3"), right("compute of k-tile 1"));
    EXPECT_LE(right("copy of k-tile 2"), left("compute of k-tile 2"));
    const auto near_end = [&](const char* name) {
        return test::Point{static_cast<int>(right(name)) - 4, test::middle_of(widget(name)).y};
    };
    EXPECT_EQ(program->pixel(near_end("copy of k-tile 3")), rgb(theme.load));
    EXPECT_EQ(program->pixel(near_end("compute of k-tile 3")), rgb(theme.compute));
    expect_hint(near_end("copy of k-tile 3"), "k-tile 3: its copy is under way");
    const test::Point there = near_end("compute of k-tile 3");
    program->click(there);
    program->wait_for("the mark where the click was", [&](const State& state) {
        return std::abs(state.at("widgets").at("cursor").at(0).get<double>() - there.x) < 6;
    });
    EXPECT_NE(program->pixel({there.x - 20, there.y}), program->pixel(there)) << "the mark lies over the bar";
    expect_words_apart(program->state());
}

// From the element of A to its place in As, while the lane that does it is selected.
TEST_F(Views, TilingShowsWhereAWordGoes)
{
    open({"--stage", "shared_tile", "--view", "tiling"});
    step_until("move to As");
    const State way = widget("move to As"), tile = widget("tile As");
    EXPECT_GE(test::right_of(way), tile.at(0).get<double>());
}

// All of K as a strip: a click goes to where a k-tile is computed. In a narrow comparison the stages of a ring keep their room.
TEST_F(Views, TilingFillsTheRoomAndGoesToAKTile)
{
    open({"--stage", "double_buffered_halves", "--compare", "warp_tile", "--view", "tiling"});
    program->resize({1280, 800});
    program->wait_for("the strip", [&](const State& state) {
        const State& widgets = state.at("widgets");
        return state.at("width") == 1280 && widgets.contains("k-tile 5") && widgets.contains("tile Bs[1]");
    });
    program->point_at({3, 3}); // the first frames after a resize may be laid out otherwise: some more are drawn now
    for (const char* tile : {"tile As[0]", "tile As[1]", "tile Bs[0]", "tile Bs[1]"}) {
        EXPECT_GT(widget(tile).at(2).get<double>(), 120) << tile;
        EXPECT_GT(widget(tile).at(3).get<double>(), 15) << tile;
    }
    EXPECT_NE(program->pixel(near_corner(widget("k-tile 5"))), rgb(theme.compute));
    expect_words_apart(program->state());
    program->click("k-tile 5");
    program->wait_for("k-tile 5 under way", [&](const State&) {
        return program->pixel(near_corner(widget("k-tile 5"))) == rgb(theme.compute);
    });
}

// 100 is no multiple of 32: the last tile is smaller, for a block at the edge as well, and a lane without a result gets what
// it copies all the same.
TEST_F(Views, TilingHasTrueBordersWhereTilesAreCutOff)
{
    open({"--show", "stage=shared_tile view=tiling size=100 block=3,0 warp=3 lane=20 step=0"});
    program->wait_for("the last k-tile", [](const State& state) {
        return state.at("widgets").contains("k-tile 4 of A") && state.at("widgets").contains("move to lane");
    });
    const auto width = [&](const char* name) { return widget(name).at(2).get<double>(); };
    EXPECT_NEAR(width("k-tile 4 of A") / width("k-tile 1 of A"), 4.0 / 32, 0.02);
    EXPECT_NEAR(width("slice of A"), width("k-tile 1 of A"), 2);
    EXPECT_NEAR(width("tile of block (3,0)") / width("tile of block (0,0)"), 4.0 / 32, 0.02);
    const State way = widget("move to lane");
    const test::Point below{static_cast<int>(test::right_of(way)), static_cast<int>(test::bottom_of(way)) + 5};
    EXPECT_EQ(program->pixel({below.x - 8, below.y}), rgb(theme.ink)) << "the selected lane's cell";
}

// What was chosen in one view is what the other shows, block and all.
TEST_F(Views, HierarchyTakesTheBlockOfAnElementChosenInThreads)
{
    open({"--stage", "naive", "--view", "threads"});
    program->wait_for("the map", [](const State& state) { return state.at("widgets").contains("map of C"); });
    program->press("0");
    program->wait_settled();
    const State map = widget("map of C");
    program->click(test::Point{static_cast<int>(map.at(0).get<double>() + 0.3 * map.at(2).get<double>()),
                               static_cast<int>(map.at(1).get<double>() + 0.3 * map.at(3).get<double>())});
    program->wait_for("an element of another block",
                      [](const State& state) { return test::has(state, "hint", "block"); });
    program->wait_for("its recording", [](const State& state) {
        return test::has(state, "command", "block=1,1") && !test::has(state, "hint", "other views show block");
    });
    program->show_view("hierarchy");
    program->wait_for("that block", [&](const State&) { return figure_says("block (1,1)"); });
}

// Digits in C are no values: what they are stands above them.
TEST_F(Views, ThreadsSayWhatTheNumbersInCAre)
{
    open({"--stage", "vectorized", "--view", "threads", "--tiny"});
    program->wait_for("the numbers of threads", [&](const State&) { return figure_says("numbers in C: threads"); });
    expect_words_apart(program->state());
    program->press("o");
    program->wait_for("the numbers of warps", [&](const State&) { return figure_says("numbers in C: warps"); });
    EXPECT_TRUE(program->state().at("widgets").contains("sum")) << "with its result";
}

TEST_F(Views, WordsOfThreadsStandApartBesideEachOther)
{
    open({"--show", "stage=vectorized compare=swizzled view=threads"});
    program->wait_for("both maps",
                      [](const State& state) { return state.at("widgets").contains("map of C of swizzled"); });
    expect_words_apart(program->state());
}

// One selection everywhere: the block of an element that is clicked, and the block that was chosen elsewhere.
TEST_F(Views, ThreadsAndOtherViewsShowTheSameBlock)
{
    open({"--show", "stage=shared_tile view=threads block=1,2"});
    const auto marked = [](const State& state, int row, int col) {
        const State& widgets = state.at("widgets");
        if (!widgets.contains("selected block"))
            return false;
        const State &map = widgets.at("map of C"), &block = widgets.at("selected block");
        const auto from = [&](int side) { return block.at(side).get<double>() - map.at(side).get<double>(); };
        return std::abs(from(0) - col * block.at(2).get<double>()) < 2 &&
               std::abs(from(1) - row * block.at(3).get<double>()) < 2;
    };
    program->wait_for("the block that was chosen", [&](const State& state) { return marked(state, 2, 1); });
    const State map = widget("map of C"), block = widget("selected block");
    program->click(test::Point{static_cast<int>(map.at(0).get<double>() + 0.52 * block.at(2).get<double>()),
                               static_cast<int>(map.at(1).get<double>() + 1.52 * block.at(3).get<double>())});
    program->wait_for("the block that was clicked", [&](const State& state) {
        return marked(state, 1, 0) && test::has(state, "command", "block=0,1");
    });
    // Each view speaks of the element that was clicked, in its own words.
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

// Behind the first barrier every cell of the tiles is read by other warps than the one that stored it; behind the second it
// is stored anew.
TEST_F(Views, TilingShowsWhatABarrierGuards)
{
    open({"--stage", "shared_tile", "--view", "tiling"});
    step_until("read too early");
    const State early = widget("read too early");
    EXPECT_FALSE(program->state().at("widgets").contains("overwritten too early"));
    const double side = early.at(2).get<double>();
    const test::Point below{static_cast<int>(early.at(0).get<double>() + side / 2),
                            static_cast<int>(early.at(1).get<double>() + 1.5 * side)};
    EXPECT_EQ(program->pixel(below), rgb(theme.warning));
    EXPECT_TRUE(has_colour(widget("picture:lanes of shared_tile"), rgb(theme.warning))) << "they wait";
    expect_words_apart(program->state());
    step_until("overwritten too early");
    EXPECT_FALSE(program->state().at("widgets").contains("read too early"));
    EXPECT_NE(program->pixel(below), rgb(theme.warning));
}

// A shuffle goes from the lane asked to the lane that gets the value, in the colour of the former.
TEST_F(Views, RegistersShowWhereAShuffleReads)
{
    open({"--stage", "warp_shuffle", "--view", "registers"});
    program->wait_for("the first shuffle, though loads come before it",
                      [](const State& state) { return state.at("widgets").contains("to 9"); });
    const auto inside = [&](const char* name) { return near_corner(widget(name)); };
    EXPECT_EQ(program->pixel(inside("to 13")), program->pixel(inside("from 8"))) << "lanes 8-15 ask lane 8";
    EXPECT_NE(program->pixel(inside("to 13")), program->pixel(inside("to 17")));
    expect_hint(test::middle_of(widget("to 13")), "lane 13 gets the value of lane 8");
    program->click("to 13");
    program->wait_for("lane 13", [&](const State&) { return is_framed(widget("to 13")); });
}

// vectorized: lane 17 multiplies the rows of A that lanes 16-31 share by columns 8-15 of B.
TEST_F(Views, RegistersShowTheOuterProduct)
{
    open({"--stage", "vectorized", "--view", "registers"});
    const State mine = widget("product of lane 17");
    EXPECT_EQ(program->pixel(near_corner(mine)), rgb(viz::lane_colour(theme, 17)));
    expect_hint(near_corner(mine), "lane 17 multiplies A(8, ");
    program->click(near_corner(mine));
    program->wait_for("lane 17's rows of A", [&](const State& state) {
        const State& rows = state.at("widgets").at("fragment A");
        return std::abs(rows.at(1).get<double>() - mine.at(1).get<double>()) < 2;
    });
    EXPECT_TRUE(is_framed(mine)) << "as what is selected";
    EXPECT_NEAR(widget("fragment B").at(0).get<double>(), mine.at(0).get<double>(), 2);
    EXPECT_EQ(program->pixel(near_corner(widget("fragment A"))), rgb(viz::draw::operand_colour(theme, 0)));
}

// Whole numbers are exact in 16 bits: what ldmatrix brings to a lane has its value.
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

// Of each kind of step, of one stage and of two: no words touch others, and all of them are whole.
TEST_F(Views, WordsOfTheRegistersViewNeitherTouchNorAreCut)
{
    for (const std::vector<std::string>& stages : {std::vector<std::string>{"warp_shuffle"},
                                                   {"vectorized", "--compare", "naive"},
                                                   {"mma_ldmatrix", "--compare", "wmma"},
                                                   {"wmma", "--inputs", "small"}}) {
        std::vector<std::string> arguments{"--view", "registers", "--stage"};
        arguments.insert(arguments.end(), stages.begin(), stages.end());
        open(arguments);
        program->wait_for("the view", [](const State& state) { return !state.at("words").empty(); });
        program->wait_settled();
        expect_words_apart(program->state());
    }
}

// The layout of mma.m16n8k16 as the PTX manual draws it: lane 5 holds A(1, 2) first, B(2, 1) and sum (1, 2).
TEST_F(Views, RegistersShowTheFragmentsOfAProduct)
{
    open({"--stage", "mma_ldmatrix", "--view", "registers"});
    program->wait_for("an ldmatrix",
                      [](const State& state) { return state.at("widgets").contains("element of matrix 3"); });
    const test::Point fifth = cell_away(widget("element of matrix 0"), 2, 1); // elements 2 and 3 of row 1
    expect_hint(fifth, "lies in the row that lane 1 points at; lane 5 gets it");
    program->click(fifth);
    step_until("A of lane 5");
    EXPECT_TRUE(is_framed(widget("A of lane 5"))) << "as what is selected";
    expect_hint(test::middle_of(widget("A of lane 5")),
                "A(1, 2) of this product is held by lane 5, as number 0 of its 8");
    expect_hint(test::middle_of(widget("B of lane 5")),
                "B(2, 1) of this product is held by lane 5, as number 0 of its 4");
    expect_hint(test::middle_of(widget("sums of lane 5")), "sums(1, 2) of this product is held by lane 5");
}

// WMMA does not say which lane holds what: three fragments that nobody's lane is named in, and no blank page.
TEST_F(Views, RegistersShowWhatIsKnownOfWmma)
{
    open({"--stage", "wmma", "--view", "registers"});
    program->wait_for("the sums", [](const State& state) { return state.at("widgets").contains("fragment sums"); });
    EXPECT_NEAR(widget("fragment A").at(2).get<double>(), widget("fragment sums").at(2).get<double>(), 2);
    expect_hint(test::middle_of(widget("fragment B")), "all 32 lanes hold it together, 8 elements each");
}

} // namespace
