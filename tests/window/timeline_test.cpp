// The bottom place: the phases of the chosen warp on the clock, of one stage and of two that race.
#include "tests/ladder.h"
#include "views.h"

#include "viz/analysis/clock.h"
#include "viz/text/rich.h"

namespace {

using test::State;

class Timeline : public test::Views {
protected:
    static viz::Clock clock_of(const char* slug)
    {
        return {test::record(slug, {.M = 128, .N = 128, .K = 128}).blocks.at(0).warps.at(0),
                viz::ClockUnit::wavefronts};
    }
    const State& mark(const std::string& name) const { return program->state().at("drawn").at(name); }
    double left_of(const std::string& name) const { return mark(name).at("rect").at(0).get<double>(); }
    double width_of(const std::string& name) const { return mark(name).at("rect").at(2).get<double>(); }
    // Moves to the step at that part of the lane's time; returns where that is on the screen.
    test::Point go_to(double share, const viz::Clock& clock)
    {
        const test::Point there{static_cast<int>(left_of("timeline 0") + share * width_of("timeline 0")),
                                test::middle_of(mark("timeline 0").at("rect")).y};
        const double time =
            (there.x - left_of("timeline 0")) / width_of("timeline 0") * static_cast<double>(clock.total());
        program->click(there);
        program->wait_for("the step there",
                          [&](const State& state) { return state.at("step") == clock.step_at(time); });
        program->wait_settled();
        return there;
    }
};

// Each k-tile is named, the step that is under way is where the clock has it, and a click goes to the time under the pointer.
TEST_F(Timeline, HasThePhasesOfTheWarpOnItsClock)
{
    open({"--stage", "vectorized", "--view", "flow"});
    const viz::Clock clock = clock_of("vectorized");
    EXPECT_EQ(mark("bar 0").at("value"), clock.total());
    for (int k_tile = 1; k_tile <= 16; ++k_tile)
        EXPECT_TRUE(figure_says("compute " + std::to_string(k_tile))) << k_tile;
    EXPECT_EQ(mark("timeline 0 cursor").at("value"), clock.begin(program->state().at("step")));
    expect_words_apart(program->state());
    const test::Point there = go_to(0.6, clock);
    EXPECT_NEAR(left_of("timeline 0 cursor"), there.x, 8);
    expect_hint(there, "compute 10: steps");
    expect_words_apart(program->state());
}

// What is under the mouse stays there, and what is beside it goes; the step that is gone to comes into sight.
TEST_F(Timeline, IsZoomedByTheWheel)
{
    open({"--stage", "vectorized", "--view", "flow"});
    const test::Point there = go_to(0.6, clock_of("vectorized"));
    for (int turn = 0; turn < 8; ++turn)
        display.scroll(true);
    program->wait_for("a part of the time", [&](const State& state) {
        return std::ranges::none_of(state.at("words"), [](const State& one) { return one.at("words") == "compute 8"; });
    });
    EXPECT_TRUE(figure_says("compute 10"));
    EXPECT_NEAR(left_of("timeline 0 cursor"), there.x, 40);
    expect_words_apart(program->state());
    program->press("Home");
    program->wait_for("the first step", [](const State& state) { return state.at("step") == 0; });
    program->wait_settled();
    EXPECT_EQ(left_of("timeline 0 cursor"), left_of("timeline 0"));
}

// Both on one axis, the one that is done first with what it has saved behind its end.
TEST_F(Timeline, SaysHowMuchEarlierAStageIsDone)
{
    open({"--stage", "vectorized", "--compare", "swizzled", "--view", "flow"});
    const viz::Clock first = clock_of("vectorized"), second = clock_of("swizzled");
    EXPECT_EQ(mark("bar 0").at("value"), first.total());
    EXPECT_EQ(mark("bar 1").at("value"), second.total());
    EXPECT_EQ(left_of("timeline 0"), left_of("timeline 1"));
    EXPECT_EQ(width_of("timeline 0"), width_of("timeline 1"));
    EXPECT_TRUE(figure_says(
        viz::plain(viz::rich("{} wavefronts of this warp fewer, as written", first.total() - second.total()))));
    EXPECT_EQ(mark("timeline 0 cursor").at("value"), first.begin(program->state().at("step")));
    EXPECT_EQ(mark("timeline 1 cursor").at("value"), second.begin(program->state().at("second_step")));
    expect_words_apart(program->state());
}

} // namespace
