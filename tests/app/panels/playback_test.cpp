// Playback of steps.
#include "app/panels/playback.h"

#include <gtest/gtest.h>

namespace {

using app::Playback;
using viz::Phase;
using viz::PhaseKind;

const std::vector<Phase> phases = {{PhaseKind::load, 0, 0, 10},
                                   {PhaseKind::barrier, 0, 10, 1},
                                   {PhaseKind::compute, 0, 11, 20},
                                   {PhaseKind::compute, 1, 31, 20},
                                   {PhaseKind::store, 2, 51, 4}};

TEST(Transport, StaysWithinTheSteps)
{
    EXPECT_EQ(app::moved(5, -1, 10), 4u);
    EXPECT_EQ(app::moved(5, 100, 10), 9u);
    EXPECT_EQ(app::moved(5, -100, 10), 0u);
    EXPECT_EQ(app::moved(5, 1, 0), 0u);
}

TEST(Transport, GoesFromPhaseToPhase)
{
    EXPECT_EQ(app::next_phase(phases, 3), 10u);
    EXPECT_EQ(app::next_phase(phases, 10), 11u);
    EXPECT_EQ(app::next_phase(phases, 52), 54u) << "the last step of all, because no phase follows";
    EXPECT_EQ(app::previous_phase(phases, 20), 11u) << "the start of the current phase comes first";
    EXPECT_EQ(app::previous_phase(phases, 11), 10u);
    EXPECT_EQ(app::previous_phase(phases, 0), 0u);
    EXPECT_EQ(app::next_phase({}, 7), 0u);
}

TEST(Transport, CountsKTiles)
{
    EXPECT_EQ(viz::k_tiles_of(phases), 2);
}

TEST(Playback, KeepsItsSpeedAtAnyFrameRate)
{
    Playback playback;
    playback.play();
    for (int frame = 0; frame < 60; ++frame)
        playback.advance(1.0 / 60, 1000);
    EXPECT_NEAR(playback.time(), playback.speed(), 1e-9);
    EXPECT_TRUE(playback.playing());
}

TEST(Playback, StopsAtTheEnd)
{
    Playback playback;
    playback.play();
    playback.set_time(3);
    playback.advance(100, 8);
    EXPECT_EQ(playback.time(), 8);
    EXPECT_FALSE(playback.playing());
    playback.set_time(3);
    playback.advance(100, 8);
    EXPECT_EQ(playback.time(), 3) << "time stands still without playback";
}

TEST(Playback, HasBoundedSpeeds)
{
    Playback playback;
    for (int i = 0; i < 20; ++i)
        playback.faster();
    EXPECT_EQ(playback.speed(), Playback::most_speed);
    for (int i = 0; i < 20; ++i)
        playback.slower();
    EXPECT_EQ(playback.speed(), Playback::least_speed);
}

TEST(Timeline, RevealsThePosition)
{
    viz::TimeWindow shown{100, 150};
    app::reveal(shown, 120, 121, 1000);
    EXPECT_DOUBLE_EQ(shown.from, 100) << "the interval is already visible";
    app::reveal(shown, 200, 201, 1000);
    EXPECT_DOUBLE_EQ(shown.from, 151);
    app::reveal(shown, 20, 21, 1000);
    EXPECT_DOUBLE_EQ(shown.from, 20);
    app::reveal(shown, 300, 400, 1000);
    EXPECT_DOUBLE_EQ(shown.from, 300) << "an interval that does not fit is shown from its beginning";
}

} // namespace
