// The views of memory and of reuse. Their drawing is read from the screen.
#include "tests/paths.h"
#include "tests/shipped_folder.h"
#include "tests/waiting.h"
#include "views.h"

#include <fmt/format.h>

#include "viz/draw/draw.h"
#include "viz/figure/sector_panel.h"

#include <cmath>
#include <fstream>
#include <utility>

namespace {

using namespace test;

class MemoryViews : public Views {};

// For a column of A, each lane uses 4 of the 32 bytes of its sector. The bars have these lengths.
TEST_F(MemoryViews, GlobalShowsUsedAndWastedBytes)
{
    open({"--stage", "naive", "--view", "global"});
    go_to_first_step();
    const Rect used = widget("used bytes"), wasted = widget("wasted bytes");
    EXPECT_NEAR(wasted.width / used.width, 7, 1.5);
    EXPECT_EQ(program->pixel(wasted.middle()), rgb(viz::wasted_colour(theme)));
    EXPECT_EQ(program->pixel(used.inside(1, 1)), rgb(theme.lane_group[3])) << "the last row is lane 31's";
    expect_hint(wasted.middle(), "used by no lane");
    EXPECT_NEAR(widget("global line:38 wasted").width / widget("global line:38").width, 7, 0.2)
        << "so it is on the whole line";
    program->click("global line:46");
    program->wait_for("the store",
                      [](const State& state) { return state.at("step").get<int>() + 1 == state.at("steps"); });
    go_to_first_step();
    display.press_while("Alt_L", "n"); // B: all lanes of a warp read the same element
    program->wait_for("the line that reads B", is("step", 1));
    expect_hint(program->middle("used bytes"), "used by lanes 0-31");
}

// For a kernel without shared memory, these views show the warp's sectors of global memory instead of banks.
TEST_F(MemoryViews, BanksAndLayoutShowTheSectorsOfAKernelWithoutSharedMemory)
{
    for (const char* view : {"banks", "layout"}) {
        open({"--stage", "naive", "--view", view});
        go_to_first_step();
        const Rect picture = widget("picture:naive");
        const State& window = program->state();
        EXPECT_GT(picture.width * picture.height,
                  0.45 * window.at("width").get<double>() * window.at("height").get<double>());
        expect_hint(program->middle("wasted bytes"), "used by no lane");
    }
}

// All layouts race on one clock of wavefronts. A bar is as long as the cost of its accesses. Its filled part is the
// cost so far.
TEST_F(MemoryViews, LayoutsRaceInTheRatioOfTheirWavefronts)
{
    open({"--stage", "vectorized", "--view", "layout"});
    const auto length = [&](const std::string& name) { return widget(name).width; };
    expect_hint(program->middle("places as recorded"), "16,896 wavefronts");
    expect_hint(program->middle("places XOR"), "done 8,192 wavefronts sooner than as recorded");
    EXPECT_NEAR(length("race XOR") / length("race as recorded"), 8704.0 / 16896, 0.01);
    program->press("End");
    program->wait_for("the end", [&](const State& state) {
        return state.at("step").get<int>() + 1 == state.at("steps").get<int>() && state.at("settled").get<bool>();
    });
    for (const char* places : {"as recorded", "XOR"})
        EXPECT_NEAR(length(std::string("done ") + places), length(std::string("race ") + places), 1) << places;
}

// coalesced makes as many requests as naive, with a sixth of the sectors and a sixteenth of the lines.
TEST_F(MemoryViews, GlobalComparesWhatTwoLaunchesMove)
{
    open({"--stage", "naive", "--compare", "coalesced", "--view", "global"});
    program->wait_for("both launches", shown("launch:lines 1"));
    expect_words_apart(program->state());
    const auto ratio = [&](const std::string& figure) {
        return widget("launch:" + figure + " 0").width / widget("launch:" + figure + " 1").width;
    };
    EXPECT_NEAR(ratio("requests"), 1, 0.01);
    EXPECT_NEAR(ratio("sectors"), 2179072.0 / 329728, 0.1);
    EXPECT_NEAR(ratio("lines"), (65536.0 * 33 + 512 * 32) / (65536.0 * 2 + 512), 0.3);
    EXPECT_EQ(program->pixel(program->middle("launch:lines 0")), rgb(theme.accent()));
    EXPECT_EQ(program->pixel(program->middle("launch:lines 1")), rgb(theme.accent(1)));
    expect_hint(program->middle("launch:sectors 1"), "sectors of the launch: 2,179,072 and 329,728, 6.6 ×");
}

uint64_t conflicts_shown(const State& state)
{
    uint64_t sum = 0;
    for (const State& cell : conflict_cells(state))
        sum += cell.at("value").get<uint64_t>();
    return sum;
}

// Banks that need a second wavefront are framed. The picture fills its part of the window.
TEST_F(MemoryViews, BanksFrameWhatMeetsInThem)
{
    open({"--stage", "vectorized", "--compare", "swizzled", "--view", "banks"});
    program->press("Home");
    program->wait_for("the first store to As, which is nearest", is("step", 0), shown("clash"));
    const Rect clash = widget("clash"), picture = widget("picture:vectorized");
    // The words of the first wavefront are not amber, so amber beside them is the frame.
    const int in_first_wavefront = clash.at(0, 0.25).y;
    int framed = 0;
    for (int left = -3; left <= 3; ++left)
        framed += program->pixel({clash.inside(left).x, in_first_wavefront}) == rgb(theme.warning);
    EXPECT_GE(framed, 1);
    EXPECT_LT(framed, 7);
    // The frame is around 16 of 32 banks. The names of wavefronts are beside the banks.
    EXPECT_NEAR(clash.width / picture.width, 0.45, 0.05);
    expect_hint(clash.inside(), "lane 0 writes As(0, 0): word 0, bank 0, wavefront 1");
    EXPECT_GT(widget("picture:swizzled").height, 0.9 * picture.height);
}

// The bars show, by the counters, what each cache level served.
TEST_F(MemoryViews, GlobalShowsWhatTheCachesCaught)
{
    test::ShippedFolder folder;
    folder.put_recording("vectorized");
    folder.put_recording("swizzled");
    folder.put_file(test::data("counters.json")); // of 128³
    open({"--show", "stage=vectorized view=global size=128"}, recordings_in(folder.path()));
    program->resize({1600, 1400});
    program->wait_for("bars of the caches", shown("cache:dram"));
    expect_words_apart(program->state());
    const auto length = [&](const char* name) { return widget(name).width; };
    EXPECT_NEAR(length("cache:dram"), 2 * length("cache:least"), 3) << "262,144 bytes of at least 131,072";
    EXPECT_NEAR(length("cache:l2"), 2 * length("cache:l1"), 3) << "half of the sectors, and a quarter";
    EXPECT_EQ(program->pixel(program->middle("cache:dram")), rgb(theme.accent()));

    program->click("stage:swizzled");
    program->wait_for("a stage of which nothing was counted", is("stage", "swizzled"), gone("cache:dram"));
}

// In a race, stages are at different steps. The heatmap's cells keep their positions and widths within a k-tile.
TEST_F(MemoryViews, BanksKeepTheHeatmapStillInARace)
{
    open({"--stage", "vectorized", "--compare", "swizzled", "--view", "banks"});
    program->wait_for("cells", [](const State& state) { return !conflict_cells(state).empty(); });
    const std::vector<State> before = conflict_cells(program->state());
    ASSERT_LT(program->state().at("step").get<int>(), 10);
    // A slow machine may draw no frame during the 42 steps of the first k-tile. The race is then repeated.
    EXPECT_TRUE(test::happens([&] {
        program->press("Home");
        program->press("space");
        const State raced = program->wait_for(
            "steps of their own, where one takes eight wavefronts and the other four",
            [](const State& state) { return state.at("step") >= 18 && state.at("second_step") > state.at("step"); });
        program->press("space");
        program->wait_for("a pause", is("playing", false));
        const bool within = raced.at("second_step").get<int>() < 40;
        if (within) {
            EXPECT_EQ(conflict_cells(raced), before);
        }
        return within;
    }));
}

// XOR removes the conflicts of vectorized's transposing store at once. A refused mapping changes nothing.
TEST_F(MemoryViews, LayoutTriesOtherPlacesOnTheRecordedAccesses)
{
    open({"--stage", "vectorized", "--view", "layout"});
    program->click("tile As"); // the view opens at the step with most conflicts, which reads Bs
    program->wait_for("the conflicts of As", [](const State& state) { return conflicts_shown(state) == 512; });
    const State recorded = program->state();
    const uint64_t before = conflicts_shown(recorded);
    EXPECT_GT(before, 0u);
    const State first = conflict_cells(recorded).at(0);
    EXPECT_EQ(first.at("value"), 128) << "as many as on each of the four lines that store";
    EXPECT_EQ(program->pixel(first.at("rect").get<Rect>().inside()), rgb(viz::conflict_colour(theme, 1)));
    program->click("places XOR");
    program->wait_for("no conflicts", [](const State& state) { return conflicts_shown(state) == 0; });
    const State tried = program->state();
    EXPECT_EQ(conflict_cells(tried).size(), conflict_cells(recorded).size());
    EXPECT_EQ(program->pixel(conflict_cells(tried).at(0).at("rect").get<Rect>().inside()),
              rgb(viz::conflict_colour(theme, 0)));
    program->press("u"); // selects the next bit of the column, with which the banks are the same
    program->wait_for("conflicts again", [&](const State& state) { return conflicts_shown(state) == before; });
    program->press("e");
    program->wait_for("the formula", shown("typing:formula"));
    type("col");
    program->wait_for("a refusal, shown as recorded",
                      [&](const State& state) { return conflicts_shown(state) == before; });
}

// XOR begins with the recorded swizzle. The bits that it flips are shown for the element under the mouse.
TEST_F(MemoryViews, LayoutShowsTheBitsOfTheRecordedXor)
{
    open({"--stage", "swizzled", "--view", "layout"});
    EXPECT_TRUE(shows("flipped bit 4")) << "opens on an element that is moved";
    EXPECT_TRUE(shows("deciding bit 2"));
    EXPECT_EQ(program->pixel(program->middle("without found")), rgb(theme.warning)) << "another element";
    const Rect memory = widget("picture:swizzled");
    const Point upper = memory.at(0.5, 0.12);
    display.move_pointer(program->window(), upper);
    program->wait_for("row 0, which flips nothing", gone("flipped bit 4"));
    const Point lower = memory.at(0.5, 0.9);
    display.move_pointer(program->window(), lower); // row 7
    program->wait_for("the bit that it flips", shown("flipped bit 4"));
    EXPECT_EQ(program->pixel(widget("flipped bit 4").inside()), rgb(theme.accent()));
    program->click("places XOR");
    program->wait_for("the same places", [](const State& state) { return !conflict_cells(state).empty(); });
    EXPECT_EQ(conflicts_shown(program->state()), 0u);
    program->click("places row after row");
    program->wait_for("what the swizzle took away", [](const State& state) { return conflicts_shown(state) > 0; });
    EXPECT_EQ(program->pixel(widget("waiting words").inside()), rgb(theme.warning)) << "beside its lanes";
}

// The followed element depends on the step. Cells show which threads read it from which memory.
TEST_F(MemoryViews, ReuseFollowsOneElement)
{
    open({"--stage", "shared_tile", "--view", "reuse"});
    program->press("Home");
    const auto says = [](const State& state, std::string_view words) {
        return std::ranges::any_of(state.at("words"), [&](const auto& one) { return one.at("words") == words; });
    };
    program->wait_for("the first k-tile", [&](const State& state) { return says(state, "shared: A(0, 0)"); });
    const auto reads = [&](const char* level, int warp, int lane) {
        return program->state()
            .at("drawn")
            .at(fmt::format("threads:shared_tile {}({},{})", level, warp, lane))
            .at("value")
            .get<double>();
    };
    for (const int lane : {0, 5, 31}) { // each lane of warp 0 needs A(0, 0) for its row of C
        EXPECT_EQ(reads("A shared", 0, lane), 1) << lane;
        EXPECT_EQ(reads("A shared", 1, lane), 0) << lane;
        EXPECT_EQ(reads("A global", 0, lane), lane == 0 ? 1 : 0) << lane;
    }
    EXPECT_EQ(program->pixel(program->middle("threads:shared_tile A shared(0,5)")), rgb(theme.accent()));
    expect_hint(program->middle("threads:shared_tile A shared(0,5)"), "lane 5 reads A(0, 0) from shared memory");
    program->press("End");
    program->wait_for("the last value of k, which was read before C is stored",
                      [&](const State& state) { return says(state, "shared: A(0, 127)"); });
    program->click("threads:shared_tile A shared(2,7)");
    program->wait_for("the thread", mentions("command", "warp=2"), mentions("command", "lane=7"));
}

// The bars of a block and of L1 have the same scale.
TEST_F(MemoryViews, ReuseShowsTheWorkingSetBesideL1)
{
    test::ShippedFolder folder;
    folder.put_recording("shared_tile");
    folder.put_file(test::shipped("gpu.json"));
    folder.put_file(test::shipped("counters.json"));
    open({"--stage", "shared_tile", "--view", "reuse"}, recordings_in(folder.path()));
    program->wait_for("the size of L1", [](const State& state) { return state.at("drawn").contains("set:L1"); });
    const State drawn = program->state().at("drawn");
    EXPECT_EQ(drawn.at("set:L1").at("value"), 256 * 1024);
    EXPECT_EQ(drawn.at("set:block shared_tile").at("value"), 8 * 1024);
    EXPECT_NEAR(widget("set:L1").width / widget("set:block shared_tile").width, 256.0 / 8, 1.5);
    EXPECT_EQ(program->pixel(program->middle("set:block shared_tile")), rgb(theme.accent()));
    expect_hint(program->middle("set:block shared_tile"), "what the block touches");
    expect_hint(program->middle("hits:L1"), "asks for each sector once");
    EXPECT_EQ(drawn.at("loads:1 x 1 shared_tile").at("value"), 2);
    EXPECT_NEAR(drawn.at("intensity:shared_tile global").at("value").get<double>(), 8, 0.01);
}

// The name of a row of 132 words is beside the line that contains its first element, in whichever bank.
TEST_F(MemoryViews, LayoutNamesRowsWhereTheyBegin)
{
    open({"--stage", "padded_a", "--view", "layout"});
    program->press("Home");
    step_until("tile As");
    program->click("tile As");
    program->wait_for("rows of As", shown("name of row 7"));
    const auto line = [&](int row) { return widget(fmt::format("name of row {}", row)).top; };
    const double height = widget("tile cell").height; // of a line
    EXPECT_NEAR((line(1) - line(0)) / height, 132 / 32, 0.2);
    EXPECT_NEAR((line(7) - line(0)) / height, 7 * 132 / 32, 0.4);
}

// If a step accesses another tile than the visible one, the view names that tile. Another stage opens with the step's
// tile.
TEST_F(MemoryViews, LayoutSaysWhichTileTheStepGoesTo)
{
    open({"--stage", "vectorized", "--view", "layout"});
    program->wait_settled();
    EXPECT_FALSE(shows("step elsewhere"));
    program->press("a");
    program->wait_for("the other tile", shown("step elsewhere"));
    program->click("stage:swizzled");
    program->wait_settled("the tile of the step", is("stage", "swizzled"), shown("tile As"), gone("step elsewhere"));
    go_to_first_step();
    for (int step = 1; step <= 12; ++step) { // stores to As and Bs, and loads from both
        program->press("Right");
        program->wait_for("the next step", [&](const State& state) { return state.at("step") >= step; });
        program->wait_settled();
        EXPECT_FALSE(shows("step elsewhere")) << step;
    }
}

// Groups of lanes that are served in turn have the same colours as in the view of shared memory.
TEST_F(MemoryViews, DataPathHasAColourForEachGroupOfLanes)
{
    open({"--stage", "swizzled", "--view", "flow"});
    step_until("headline:4 wavefronts \u00b7 no conflict");
    const Rect lanes = widget("flow lanes");
    const auto corner = [&](int lane) { return Point{lanes.at((lane + 0.15) / 32, 0).x, lanes.inside(0, 3).y}; };
    EXPECT_EQ(program->pixel(corner(9)), rgb(theme.lane_group[1]));
    EXPECT_EQ(program->pixel(corner(17)), rgb(theme.lane_group[2]));
}

// With the mouse on a picture with a camera: pointing at a lane shows what it moves, a click selects the lane, and the
// wheel zooms.
TEST_F(MemoryViews, DataPathIsPointedAtClickedAndZoomed)
{
    open({"--stage", "swizzled", "--view", "flow"});
    step_until("headline:4 wavefronts \u00b7 no conflict");
    const Rect lanes = widget("flow lanes");
    const Point ninth = lanes.at(9.5 / 32, 0.5);
    expect_hint(ninth, "Lane 9 ");
    display.button(true);
    display.button(false);
    program->wait_for("the chosen lane", mentions("command", "lane=9"));
    const double before = widget("matrix A").height;
    display.scroll(true);
    program->wait_for("larger matrices",
                      [&](const State& state) { return rect_of(state, "matrix A").height > 1.1 * before; });
    program->press("0");
    program->wait_for("all of it",
                      [&](const State& state) { return std::abs(rect_of(state, "matrix A").height - before) < 1; });
}

} // namespace
