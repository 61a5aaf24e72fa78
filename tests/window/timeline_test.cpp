// The timeline at the bottom: the phases of the selected warp over time, of one stage, and of two stages in a race.
#include "tests/ladder.h"
#include "views.h"

#include "viz/analysis/clock.h"
#include "viz/text/rich.h"

namespace {

using namespace test;

class Timeline : public Views {
protected:
    static viz::Clock clock_of(const char* slug)
    {
        return {test::record(slug, {.M = 128, .N = 128, .K = 128}).blocks.at(0).warps.at(0),
                viz::ClockUnit::wavefronts};
    }
    // Clicks at this fraction of the time axis and waits for the step there. Returns the clicked point.
    Point go_to(double share, const viz::Clock& clock)
    {
        const Rect lane = drawn_in("timeline 0");
        const Point there = lane.at(share, 0.5);
        const double time = (there.x - lane.left) / lane.width * static_cast<double>(clock.total());
        program->click(there);
        program->wait_for("the step there", is("step", clock.step_at(time)));
        program->wait_settled();
        return there;
    }
};

// Each k-tile has its number. The cursor is at the time of the current step. A click selects the step at its time.
TEST_F(Timeline, HasThePhasesOfTheWarpOnItsClock)
{
    open({"--stage", "vectorized", "--view", "flow"});
    const viz::Clock clock = clock_of("vectorized");
    EXPECT_EQ(drawn("bar 0").at("value"), clock.total());
    for (int k_tile = 1; k_tile <= 16; ++k_tile)
        EXPECT_TRUE(figure_says("compute " + std::to_string(k_tile))) << k_tile;
    EXPECT_EQ(drawn("timeline 0 cursor").at("value"), clock.begin(program->state().at("step")));
    expect_words_apart(program->state());
    const Point there = go_to(0.6, clock);
    EXPECT_NEAR(drawn_in("timeline 0 cursor").left, there.x, 8);
    expect_hint(there, "compute 10: steps");
    expect_words_apart(program->state());
}

// Zooming keeps the time under the mouse in place. The timeline scrolls to a selected step.
TEST_F(Timeline, IsZoomedByTheWheel)
{
    open({"--stage", "vectorized", "--view", "flow"});
    const Point there = go_to(0.6, clock_of("vectorized"));
    for (int turn = 0; turn < 8; ++turn)
        display.scroll(true);
    program->wait_for("a part of the time", [&](const State& state) {
        return std::ranges::none_of(state.at("words"), [](const State& one) { return one.at("words") == "compute 8"; });
    });
    EXPECT_TRUE(figure_says("compute 10"));
    EXPECT_NEAR(drawn_in("timeline 0 cursor").left, there.x, 40);
    expect_words_apart(program->state());
    go_to_first_step();
    EXPECT_EQ(drawn_in("timeline 0 cursor").left, drawn_in("timeline 0").left);
}

// Both stages have one axis. The time that the faster one saves is shown after its end.
TEST_F(Timeline, SaysHowMuchEarlierAStageIsDone)
{
    open({"--stage", "vectorized", "--compare", "swizzled", "--view", "flow"});
    const viz::Clock first = clock_of("vectorized"), second = clock_of("swizzled");
    EXPECT_EQ(drawn("bar 0").at("value"), first.total());
    EXPECT_EQ(drawn("bar 1").at("value"), second.total());
    EXPECT_EQ(drawn_in("timeline 0").left, drawn_in("timeline 1").left);
    EXPECT_EQ(drawn_in("timeline 0").width, drawn_in("timeline 1").width);
    EXPECT_TRUE(figure_says(
        viz::plain(viz::rich("{} wavefronts of this warp fewer, as written", first.total() - second.total()))));
    EXPECT_EQ(drawn("timeline 0 cursor").at("value"), first.begin(program->state().at("step")));
    EXPECT_EQ(drawn("timeline 1 cursor").at("value"), second.begin(program->state().at("second_step")));
    expect_words_apart(program->state());
}

} // namespace
