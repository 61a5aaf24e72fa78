// A session of a user in the real window, step by step.
#include "program.h"
#include "tests/ladder.h"
#include "views.h"

#include "backend.h"
#include "gemm/inputs.h"
#include "viz/analysis/clock.h"
#include "viz/analysis/heatmap.h"
#include "viz/analysis/values.h"
#include "viz/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace {

using namespace test;

const Size screen{2200, 1500};

class Window : public testing::Test {
protected:
    Display display{screen};
};

// Expects that all widgets are inside the window and have a size.
void expect_inside(const State& state)
{
    for (const auto& [name, place] : state.at("widgets").items()) {
        if (name.ends_with("cursor")) // a line
            continue;
        const Rect rectangle = place;
        EXPECT_GE(rectangle.left, 0) << name;
        EXPECT_GE(rectangle.top, 0) << name;
        EXPECT_GE(rectangle.width, 4) << name;
        EXPECT_GE(rectangle.height, 4) << name;
        EXPECT_LE(rectangle.right(), state.at("width").get<double>() + 0.5) << name;
        EXPECT_LE(rectangle.bottom(), state.at("height").get<double>() + 0.5) << name;
    }
}

// Returns the fraction of the sampled pixels that have one of these colours.
double share_of(const Program& program, const std::vector<viz::Colour>& colours)
{
    int hits = 0, all = 0;
    for (int y = 10; y < program.state().at("height").get<int>(); y += 20) {
        for (int x = 10; x < program.state().at("width").get<int>(); x += 20) {
            const Rgb pixel = program.pixel({x, y});
            hits += std::any_of(colours.begin(), colours.end(), [&](viz::Colour c) { return rgb(c) == pixel; });
            ++all;
        }
    }
    return static_cast<double>(hits) / all;
}

// Makes the same recording as the window.
recording::Recording record(const char* slug, uint32_t size)
{
    const kernels::Job job = test::job(slug, {.M = size, .N = size, .K = size});
    return test::record(job);
}

// Returns the line and the step in the name of a mark such as "conflicts 76 4".
std::pair<uint32_t, std::size_t> place_of(const State& cell)
{
    std::istringstream name(cell.at("name").get<std::string>().substr(std::string_view("conflicts ").size()));
    std::pair<uint32_t, std::size_t> place;
    name >> place.first >> place.second;
    return place;
}

uint64_t conflicts(const viz::Heatmap& map, const State& cell)
{
    const auto [line, step] = place_of(cell);
    for (const viz::HeatRow& row : map.rows)
        if (row.line == line)
            if (const viz::HeatCell* found = viz::cell_at(row, step))
                return found->totals.conflicts;
    throw std::runtime_error("the recording has no access at " + cell.dump());
}

// Returns a pixel of a cell outside of its number.
Point beside_number(const State& cell)
{
    const Rect rect = cell.at("rect");
    return {rect.middle().x, rect.inside(0, 2).y};
}

double width_of_a_cell(const State& state)
{
    return conflict_cells(state).at(0).at("rect").get<Rect>().width;
}

TEST_F(Window, OpensOnAStageAndQuitsByKey)
{
    Program program(display, {"--stage", "vectorized", "--view", "banks", "--backend", "cpu"});
    EXPECT_EQ(program.state().at("stage"), "vectorized");
    EXPECT_EQ(program.state().at("view"), "banks");
    EXPECT_EQ(program.state().at("compare"), "");
    EXPECT_EQ(program.state().at("status"), "");
    EXPECT_GT(program.state().at("steps").get<int>(), 0);
    expect_inside(program.state());
    program.press("q", true);
    EXPECT_EQ(program.exit_status(), 0) << program.messages();
}

TEST_F(Window, QuitsWithTheCloseButton)
{
    Program program(display, {"--backend", "cpu"});
    program.close();
    EXPECT_EQ(program.exit_status(), 0) << program.messages();
}

TEST_F(Window, ChoosesStagesAndViewsByClick)
{
    Program program(display, {"--stage", "vectorized", "--backend", "cpu"});
    for (const char* stage : {"naive", "shared_tile", "swizzled"}) {
        program.click(std::string("stage:") + stage);
        program.wait_settled(std::string("stage ") + stage, is("stage", stage));
        EXPECT_EQ(program.state().at("status"), "");
    }
    for (const auto& [group, view] : {std::pair{"Flow", "tiling"}, {"Who", "threads"}, {"Memory", "banks"}}) {
        program.click(std::string("group:") + group);
        program.wait_for(std::string("group ") + group, shown(std::string("view:") + view));
        program.click(std::string("view:") + view);
        program.wait_settled(std::string("view ") + view, is("view", view));
    }
    program.click("group:Who");
    program.wait_settled("the view of this group that was shown last", is("view", "threads"));
}

TEST_F(Window, StepsAndPlays)
{
    Program program(display, {"--stage", "vectorized", "--view", "banks", "--backend", "cpu"});
    program.press("Home");
    program.wait_settled("the first step", is("step", 0));
    program.press("Right");
    program.wait_settled("one step forward", is("step", 1));
    program.press("Right");
    program.wait_settled("another", is("step", 2));
    program.press("Left");
    program.wait_settled("one step back", is("step", 1));
    program.click("forward");
    program.wait_settled("a step forward by click", is("step", 2));

    program.press("space");
    program.wait_settled("playing", is("playing", true));
    program.wait_for("steps that pass by themselves",
                     [](const State& state) { return state.at("step").get<int>() >= 4; });
    program.press("space");
    const int stopped = program.wait_settled("a pause", is("playing", false)).at("step").get<int>();
    program.press("Right");
    program.wait_settled("a step from where it paused", is("step", stopped + 1));
}

TEST_F(Window, Compares)
{
    Program program(display, {"--stage", "vectorized", "--compare", "swizzled", "--view", "banks", "--backend", "cpu"});
    EXPECT_EQ(program.state().at("stage"), "vectorized");
    EXPECT_EQ(program.state().at("compare"), "swizzled");
    program.press("c");
    program.wait_settled("one stage alone", is("compare", ""));

    display.move_pointer(program.window(), program.middle("stage:padded_a"));
    program.wait_for("words about the stage under the mouse",
                     [](const State& state) { return state.at("hint").get<std::string>().starts_with("padded_a"); });
    program.press("c");
    program.wait_settled("the stage under the mouse beside it", is("compare", "padded_a"));
    program.press("x");
    program.wait_settled("the stages exchanged", is("stage", "padded_a"));
    EXPECT_EQ(program.state().at("compare"), "vectorized");
    EXPECT_EQ(program.state().at("status"), "");
}

// On a shared clock, each stage is at the step that its costs allow. The bars are as long as the recorded costs.
TEST_F(Window, RacesTwoStagesOnOneClock)
{
    Program program(display, {"--stage", "vectorized", "--compare", "swizzled", "--view", "flow", "--backend", "cpu"});
    const auto clock_of = [](const char* slug) {
        return viz::Clock(record(slug, 128).blocks.at(0).warps.at(0), viz::ClockUnit::wavefronts);
    };
    const viz::Clock first = clock_of("vectorized"), second = clock_of("swizzled");
    EXPECT_EQ(program.state().at("drawn").at("bar 0").at("value"), first.total());
    EXPECT_EQ(program.state().at("drawn").at("bar 1").at("value"), second.total());
    EXPECT_EQ(program.state().at("second_step"), program.state().at("step")) << "the clock has not started yet";

    program.click("timeline");
    const State raced = program.wait_for(
        "steps of their own", [](const State& state) { return state.at("second_step") != state.at("step"); });
    const double time = raced.at("time").get<double>();
    EXPECT_EQ(raced.at("step"), first.step_at(time));
    EXPECT_EQ(raced.at("second_step"), second.step_at(time));

    program.press("Right");
    program.wait_for("the same step of both, by hand",
                     [](const State& state) { return state.at("second_step") == state.at("step"); });
    program.click("timeline");
    for (int i = 0; i < 9; ++i)
        program.press("period");
    program.press("space");
    const State over = program.wait_for("the finish", [&](const State& state) {
        return !state.at("playing").get<bool>() && state.at("time").get<double>() >= static_cast<double>(first.total());
    });
    EXPECT_EQ(over.at("step"), first.steps() - 1);
    EXPECT_EQ(over.at("second_step"), second.steps() - 1);
}

// Each stage is at the step that its costs allow. The third bar is as long as its costs.
TEST_F(Window, RacesThreeStagesOnOneClock)
{
    Program program(display,
                    {"--stage", "vectorized", "--compare", "padded_a,swizzled", "--view", "flow", "--backend", "cpu"});
    const auto clock_of = [](const char* slug) {
        return viz::Clock(record(slug, 128).blocks.at(0).warps.at(0), viz::ClockUnit::wavefronts);
    };
    const viz::Clock first = clock_of("vectorized"), third = clock_of("swizzled");
    EXPECT_EQ(program.state().at("third"), "swizzled");
    EXPECT_EQ(program.state().at("drawn").at("bar 2").at("value"), third.total());
    for (const char* slug : {"vectorized", "padded_a", "swizzled"})
        EXPECT_TRUE(program.shows(std::string("picture:") + slug)) << slug;
    program.click("timeline");
    const State raced = program.wait_for("steps of their own",
                                         [](const State& state) { return state.at("third_step") != state.at("step"); });
    EXPECT_EQ(raced.at("third_step"), third.step_at(raced.at("time").get<double>()));
    program.press("Escape");
    program.wait_settled("two of them", is("third", ""));
    EXPECT_EQ(program.state().at("compare"), "padded_a");
}

// A click changes to tiny matrices of whole numbers, and another click changes back. The visible value is the computed
// one.
TEST_F(Window, ShowsAStageInItsTinyForm)
{
    Program program(display, {"--stage", "shared_tile", "--view", "flow", "--backend", "cpu"});
    const auto steps = [&] { return program.state().at("steps").get<std::size_t>(); };
    const std::size_t before = steps();
    program.click("tiny");
    program.wait_for("few steps", [&](const State& state) {
        return state.at("settled").get<bool>() && state.at("steps").get<std::size_t>() < before;
    });
    program.press("End"); // the step that stores C
    program.wait_settled("the last step", is("step", steps() - 1));
    const recording::Problem problem{.M = 4, .N = 4, .K = 4};
    const kernels::Operands given =
        kernels::input_operands(kernels::Operation::gemm, problem, recording::input_seed, recording::Inputs::small);
    float sum = 0;
    for (uint32_t k = 0; k < 4; ++k)
        sum += given.A[k] * given.B[k * 4];
    const Rect c = program.widget("matrix C");
    display.move_pointer(program.window(), c.inside(8, 8));
    const std::string words = "C(0, 0) = " + std::to_string(static_cast<int>(sum));
    program.wait_for(words, mentions("tip", words));
    program.press("T");
    program.wait_for("many steps again", [&](const State& state) {
        return state.at("settled").get<bool>() && state.at("steps").get<std::size_t>() == before;
    });
}

// After a change of its parameters, a stage is compared with its previous form. Undo reverts both changes.
TEST_F(Window, UndoAndRedoGoThroughWhatWasChosen)
{
    Program program(display, {"--stage", "vectorized", "--backend", "cpu"});
    program.click("stage:naive");
    program.wait_settled("naive", is("stage", "naive"));
    program.press("c");
    program.wait_for("a comparison", is_not("compare", ""));
    program.press("z", true);
    program.wait_settled("no comparison", is("compare", ""));
    program.press("z", true);
    program.wait_settled("vectorized again", is("stage", "vectorized"));
    program.press("Z", true);
    program.wait_settled("naive again", is("stage", "naive"));
}

TEST_F(Window, AListOfValuesStaysOpenWhileSomethingElseBecomesKnown)
{
    Program program(display, {"--stage", "shared_tile", "--backend", "cpu"});
    program.press("c");
    program.wait_for("a comparison", is_not("compare", ""));
    program.press("z", true);
    program.wait_settled("no comparison", is("compare", ""));
    const auto open = shown("choice:16");
    program.click("parameter:tile");
    program.wait_for("the values", open);
    for (int i = 0; i < 5; ++i) {
        program.press("Z", true);
        program.wait_for("the comparison", is_not("compare", ""));
        EXPECT_TRUE(open(program.wait_settled()));
        program.press("z", true);
        program.wait_settled("no comparison", is("compare", ""));
        EXPECT_TRUE(open(program.wait_settled()));
    }
}

// A value that cannot be chosen is there, and the list says why not; keys pressed meanwhile choose no view.
TEST_F(Window, AListOfValuesLiesBelowItsButtonAndSaysWhyNot)
{
    Program program(display, {"--stage", "vectorized", "--compare", "swizzled", "--view", "banks", "--backend", "cpu"});
    program.resize({1024, 700}); // where the parameters of each stage are folded into one list
    program.wait_settled("folded", is("width", 1024), shown("parameters"));
    program.click("parameters");
    program.wait_for("the parameters", shown("parameter:BK"));
    EXPECT_GE(program.widget("parameter:BK").top, program.widget("parameters").bottom());
    program.click("parameter:BK");
    program.wait_settled("the values", shown("choice:8", "choice:32"));
    EXPECT_GE(program.widget("choice:8").top, program.widget("parameter:BK").bottom());
    program.press("1");
    program.click("choice:32");
    const State& state = program.wait_settled("the list, still open", shown("choice:32"));
    EXPECT_EQ(state.at("view"), "banks");
    EXPECT_EQ(state.at("parameters").at("BK"), 8);
}

TEST_F(Window, ZoomsByWheelAndMovesByClick)
{
    Program program(display, {"--stage", "vectorized", "--view", "banks", "--backend", "cpu"});
    program.press("End");
    program.wait_for("the last step", [](const State& state) { return state.at("step") > 100; });
    program.press("Home");
    program.wait_settled("the first step", is("step", 0));
    const double before = width_of_a_cell(program.state());
    const State cell = conflict_cells(program.state()).at(0);
    const auto step = place_of(cell).second;
    const Point inside = cell.at("rect").get<Rect>().middle();
    EXPECT_GT(step, 0u);
    program.click(inside);
    program.wait_settled("the step of the cell", is("step", step));
    display.move_pointer(program.window(), conflict_cells(program.state()).at(0).at("rect").get<Rect>().middle());
    display.scroll(true);
    program.wait_for("larger cells", [&](const State& state) { return width_of_a_cell(state) > before + 1; });
    display.scroll(false);
    program.wait_for("smaller cells", [&](const State& state) { return width_of_a_cell(state) < before + 1; });
    program.click("timeline");
    program.wait_for("a step in the middle", [&](const State& state) {
        const double share = state.at("step").get<double>() / state.at("steps").get<double>();
        return share > 0.4 && share < 0.6;
    });
}

TEST_F(Window, HidesEitherPanelWhicheverWasOpenedLast)
{
    Program program(display, {"--stage", "vectorized", "--backend", "cpu"});
    const auto shows = [&](const std::string& what, const char* widget, bool wanted) {
        program.wait_for(what, wanted ? shown(widget) : gone(widget));
    };
    program.press("bracketright");
    shows("no source", "below:PTX", false);
    program.press("bracketright");
    shows("the source again", "below:PTX", true);
    program.press("bracketleft");
    shows("no ladder", "stage:naive", false);
    program.press("bracketleft");
    shows("the ladder again", "stage:naive", true);
}

TEST_F(Window, ShowsItsKeys)
{
    Program program(display, {"--backend", "cpu"});
    program.press("question");
    program.wait_settled("the page of keys", is("help", true));
    program.press("Escape");
    program.wait_settled("the view again", is("help", false));
}

TEST_F(Window, BecomesSmall)
{
    Program program(display, {"--stage", "vectorized", "--backend", "cpu"});
    for (const Size size : {Size{800, 600}, Size{1700, 1200}}) {
        program.resize(size);
        // The frame in which the size changes may still have the old layout.
        program.wait_for("the new size", [&](const State& state) {
            const Rect timeline = rect_of(state, "timeline");
            return state.at("width") == size.width && state.at("height") == size.height &&
                   std::abs(timeline.right() - size.width) < 1 && timeline.top < size.height;
        });
        expect_inside(program.wait_settled());
        EXPECT_TRUE(program.shows("play"));
        EXPECT_TRUE(program.shows("view"));
    }
}

TEST_F(Window, ScalesByTwo)
{
    double heights[2];
    for (const int scale : {1, 2}) {
        Program program(display, {"--stage", "vectorized", "--backend", "cpu", "--scale", std::to_string(scale)});
        EXPECT_EQ(program.state().at("scale").get<double>(), scale);
        expect_inside(program.state());
        heights[scale - 1] = program.widget("play").height;
    }
    EXPECT_NEAR(heights[1] / heights[0], 2, 0.2);
}

TEST_F(Window, TypeGrowsAsFarAsThereIsRoom)
{
    Program program(display, {"--stage", "naive", "--view", "global", "--backend", "cpu", "--scale", "1.5"});
    program.resize({1280, 800}); // room for 1.6
    program.wait_settled("the small window", is("width", 1280));
    program.press("plus", true);
    program.wait_for("the largest type", [](const State& state) { return state.at("scale").get<double>() > 1.55; });
    EXPECT_NEAR(program.state().at("scale").get<double>(), 1.6, 0.01);
    program.press("plus", true);
    program.wait_for("why it grows no more", mentions("said", "no room for larger type"));
    for (int i = 0; i < 3; ++i)
        program.press("plus", true);
    program.press("minus", true);
    program.wait_for("smaller type at once", [](const State& state) { return state.at("scale").get<double>() < 1.5; });
}

TEST_F(Window, HasALightTheme)
{
    for (const bool light : {false, true}) {
        Program program(display, {"--stage", "vectorized", "--backend", "cpu", "--theme", light ? "light" : "dark"});
        EXPECT_EQ(program.state().at("theme"), light ? "light" : "dark");
        // The background between widgets, and the marks, have colours of this theme and none of the other.
        const viz::Theme theme = viz::make_theme(!light, 1), other = viz::make_theme(light, 1);
        EXPECT_GT(share_of(program, {theme.background, theme.panel}), 0.3);
        EXPECT_LT(share_of(program, {other.background, other.panel}), 0.01);
    }
}

// A cell of the heatmap has the recorded number of conflicts, as its number in the state and as its colour.
TEST_F(Window, HeatmapCellsHaveTheColourOfTheirNumber)
{
    const recording::Recording recording = record("vectorized", 128);
    const viz::Heatmap map = viz::heatmap(recording.blocks.front());
    for (const bool light : {false, true}) {
        Program program(display, {"--stage", "vectorized", "--view", "banks", "--backend", "cpu", "--theme",
                                  light ? "light" : "dark"});
        const viz::Theme theme = viz::make_theme(!light, 1);
        std::set<uint64_t> values;
        for (const State& cell : conflict_cells(program.state())) {
            const auto value = cell.at("value").get<uint64_t>();
            EXPECT_EQ(value, conflicts(map, cell)) << cell;
            EXPECT_EQ(program.pixel(beside_number(cell)), rgb(viz::conflict_colour(theme, value, map.worst))) << cell;
            values.insert(value);
        }
        EXPECT_GE(values.size(), 2u) << "one colour alone proves nothing";
    }
}

// The values in registers are those that the generator of the inputs gives.
TEST_F(Window, RegistersShowTheValuesThatALaneMultiplies)
{
    const recording::Recording recording = record("vectorized", 128);
    Program program(display, {"--stage", "vectorized", "--view", "registers", "--backend", "cpu"});
    program.resize({1600, 1000});
    program.wait_for("values", shown("value A(0,0)"));
    int values = 0;
    for (const auto& [name, mark] : program.state().at("drawn").items()) {
        unsigned row = 0, col = 0;
        double value = 0;
        const auto label = mark.at("label").get<std::string>();
        if (!name.starts_with("value A(") || std::sscanf(label.c_str(), "A(%u,%u) %lf", &row, &col, &value) != 3)
            continue;
        const auto expected = viz::value_of(recording, 0, {row, col});
        ASSERT_TRUE(expected);
        EXPECT_NEAR(value, *expected, 0.005) << label;
        EXPECT_FLOAT_EQ(mark.at("value").get<float>(), *expected) << label;
        ++values;
    }
    EXPECT_EQ(values, 8) << "of a thread tile of 8 x 8";
}

} // namespace
