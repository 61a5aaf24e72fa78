// When the session shows a shipped recording, and when one that was made here.
#include "tests/app/said.h"
#include "tests/app/session/session_support.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "tests/shipped_folder.h"

namespace {

using test::Session;
using test::stage_named;
using test::says;

class ShippedSession : public test::SessionTest {
protected:
    app::SessionOptions options(bool gpu)
    {
        app::SessionOptions result = SessionTest::options(gpu);
        result.shipped = folder.path();
        return result;
    }
    bool settles(Session& session)
    {
        return eventually(session, [&] { return session.snapshot()->ready(); });
    }

    test::ShippedFolder folder;
};

TEST_F(ShippedSession, WithoutAGpuTheShippedRecordingIsShown)
{
    folder.put_recording("vectorized");
    Session session(options(false));
    ASSERT_TRUE(settles(session));
    ASSERT_NE(session.snapshot()->columns.front().recording, nullptr)
        << viz::plain(session.snapshot()->columns.front().status);
    EXPECT_TRUE(session.snapshot()->shows_shipped(0));
    EXPECT_EQ(session.snapshot()->columns.front().recording->device.name, "NVIDIA H200");
    EXPECT_EQ(script->records, 0);

    session.change([&](app::Choice& choice) { choice.show(stage_named(session, "naive")); });
    ASSERT_TRUE(settles(session));
    EXPECT_FALSE(session.snapshot()->shows_shipped(0)) << "no recording of naive is shipped";
    EXPECT_EQ(session.snapshot()->notice, "");
    EXPECT_EQ(script->records, 1);
}

// A block that no shipped recording has is recorded here. One undo step returns to the shipped recording.
TEST_F(ShippedSession, ABlockThatIsNotShippedIsRecordedHere)
{
    folder.put_recording("vectorized");
    Session session(options(false));
    ASSERT_TRUE(settles(session));
    session.record_block({3, 2, 0});
    ASSERT_TRUE(settles(session));
    EXPECT_FALSE(session.snapshot()->shows_shipped(0));
    EXPECT_EQ(session.snapshot()->choice.block, (recording::Index3{3, 2, 0}));
    EXPECT_TRUE(session.snapshot()->choice.recorded_here.contains(stage_named(session, "vectorized")));
    EXPECT_EQ(script->records, 1);
    session.undo();
    ASSERT_TRUE(settles(session));
    EXPECT_TRUE(session.snapshot()->shows_shipped(0));
    EXPECT_EQ(session.snapshot()->choice.block, (recording::Index3{0, 0, 0}));
}

// The fake devices have no compute capability.
TEST_F(ShippedSession, ABlockThatCannotBeRecordedHereIsRefusedWithTheReason)
{
    const kernels::Job job = test::job("wgmma_tma", {.M = 256, .N = 256, .K = 192});
    folder.put(kernels::describe_launch(job, {.backend = "cuda", .name = "NVIDIA H200"}));
    app::SessionOptions hopper = options(false);
    hopper.first = "wgmma_tma";
    Session session(hopper);
    ASSERT_TRUE(settles(session));
    const app::Choice before = session.snapshot()->choice;
    session.record_block({1, 0, 0});
    EXPECT_TRUE(says(session.snapshot()->notice, "compute capability 9.0 only"));
    EXPECT_EQ(session.snapshot()->choice, before);
    EXPECT_FALSE(session.undo()) << "there is no choice to undo";
    ASSERT_TRUE(settles(session));
    EXPECT_TRUE(session.snapshot()->shows_shipped(0));
    EXPECT_EQ(script->records, 0);
}

TEST_F(ShippedSession, ARecordingCanBeMadeHereInstead)
{
    folder.put_recording("vectorized");
    Session session(options(false));
    ASSERT_TRUE(settles(session));
    session.record_again();
    ASSERT_TRUE(settles(session));
    const std::size_t stage = stage_named(session, "vectorized");
    EXPECT_FALSE(session.snapshot()->shows_shipped(0));
    EXPECT_TRUE(session.snapshot()->choice.recorded_here.contains(stage));
    EXPECT_EQ(session.snapshot()->columns.front().recording->device.name, "");
    EXPECT_EQ(script->records, 1);

    session.change([&](app::Choice& choice) { choice.recorded_here.erase(stage); });
    ASSERT_TRUE(settles(session));
    EXPECT_TRUE(session.snapshot()->shows_shipped(0));
    EXPECT_EQ(session.snapshot()->columns.front().recording->device.name, "NVIDIA H200");
    EXPECT_EQ(script->records, 1);
}

TEST_F(ShippedSession, WhatWasNotShippedIsRecordedHere)
{
    folder.put_recording("vectorized");
    Session session(options(false));
    ASSERT_TRUE(settles(session));
    app::Sizes sizes = session.snapshot()->choice.sizes;
    sizes.recorded = {.M = 128, .N = 128, .K = 64};
    session.change([&](app::Choice& choice) { choice.sizes = sizes; });
    ASSERT_TRUE(settles(session));
    EXPECT_FALSE(session.snapshot()->shows_shipped(0));
    EXPECT_EQ(session.snapshot()->columns.front().recording->problem.K, 64u);

    session.change([&](app::Choice& choice) { choice.sizes = app::Sizes(); });
    ASSERT_TRUE(settles(session));
    EXPECT_TRUE(session.snapshot()->shows_shipped(0)) << "the shipped size is chosen again";
    const std::size_t stage = stage_named(session, "vectorized");
    session.change_parameters(0, session.snapshot()->ladder()[stage].cpu_variants.back());
    ASSERT_TRUE(settles(session));
    EXPECT_FALSE(session.snapshot()->shows_shipped(0));
}

TEST_F(ShippedSession, AGpuAndTheCpuThatWasAskedForRecordThemselves)
{
    folder.put_recording("vectorized");
    {
        Session session(options(true));
        ASSERT_TRUE(settles(session));
        EXPECT_FALSE(session.snapshot()->shows_shipped(0));
    }
    app::SessionOptions asked = options(false);
    asked.backend = "cpu";
    Session session(asked);
    ASSERT_TRUE(settles(session));
    EXPECT_FALSE(session.snapshot()->shows_shipped(0));
    EXPECT_EQ(script->records, 2);
}

TEST_F(ShippedSession, ABrokenOneIsSaidAndRecordedHere)
{
    std::ofstream(folder.path() / "vectorized.gscope") << "not a recording";
    Session session(options(false));
    ASSERT_TRUE(settles(session));
    EXPECT_NE(session.snapshot()->columns.front().recording, nullptr);
    EXPECT_FALSE(session.snapshot()->shows_shipped(0));
    EXPECT_TRUE(says(session.snapshot()->notice, "vectorized.gscope is not a gemmscope recording"));
}

// The fake devices have no compute capability.
TEST_F(ShippedSession, AStageThatThisMachineCannotRunIsShippedAtItsOwnSize)
{
    const kernels::Job job = test::job("wgmma_tma", {.M = 256, .N = 256, .K = 192});
    folder.put(kernels::describe_launch(job, {.backend = "cuda", .name = "NVIDIA H200"}));
    for (const bool gpu : {false, true}) {
        app::SessionOptions hopper = options(gpu);
        hopper.first = "wgmma_tma";
        Session session(hopper);
        ASSERT_TRUE(settles(session));
        ASSERT_NE(session.snapshot()->columns.front().recording, nullptr)
            << viz::plain(session.snapshot()->columns.front().status);
        EXPECT_TRUE(session.snapshot()->shows_shipped(0));
        EXPECT_EQ(session.snapshot()->columns.front().recording->problem.K, 192u);
        session.record_again();
        EXPECT_TRUE(says(session.snapshot()->notice, "compute capability 9.0 only"));
        ASSERT_TRUE(settles(session));
        EXPECT_TRUE(session.snapshot()->shows_shipped(0));
    }
    EXPECT_EQ(script->records, 0);
}

TEST_F(ShippedSession, AStageThatThisMachineCannotRunAndThatIsNotShippedSaysBoth)
{
    app::SessionOptions hopper = options(false);
    hopper.first = "wgmma_tma";
    Session session(hopper);
    ASSERT_TRUE(settles(session));
    EXPECT_EQ(session.snapshot()->columns.front().recording, nullptr);
    const std::string status = viz::plain(session.snapshot()->columns.front().status);
    EXPECT_TRUE(says(status, "compute capability 9.0 only"));
    EXPECT_TRUE(says(status, "No recording of wgmma_tma is shipped"));
}

TEST_F(ShippedSession, TheSecondStageIsShippedOrRecordedForItself)
{
    folder.put_recording("vectorized");
    app::SessionOptions both = options(false);
    both.second = "swizzled"; // with the same tile sizes
    Session session(both);
    ASSERT_TRUE(settles(session));
    EXPECT_TRUE(session.snapshot()->shows_shipped(0));
    EXPECT_FALSE(session.snapshot()->shows_shipped(1));
    session.change([](app::Choice& choice) { choice.swap(); });
    ASSERT_TRUE(settles(session));
    EXPECT_FALSE(session.snapshot()->shows_shipped(0));
    EXPECT_TRUE(session.snapshot()->shows_shipped(1));
}

TEST_F(ShippedSession, ASpeedBelongsToTheParametersThatWereTimed)
{
    folder.put_speeds(test::three_speeds);
    Session session(options(false));
    const std::size_t stage = stage_named(session, "vectorized");
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->loaded; }));
    ASSERT_NE(session.snapshot()->shipped_speed(stage), nullptr);
    EXPECT_EQ(session.snapshot()->shipped_speed(stage)->gflops, 36000);
    ASSERT_TRUE(settles(session));
    EXPECT_EQ(session.snapshot()->columns.front().speed.gflops, recording::Missing::no_gpu)
        << "the speed was not measured here";
    const viz::Speed& shipped = session.snapshot()->columns.front().shipped;
    ASSERT_TRUE(shipped.gflops);
    EXPECT_EQ(*shipped.gflops, 36000);
    EXPECT_EQ(shipped.gflops.from().device, "NVIDIA H200");
    EXPECT_FALSE(shipped.here());
    session.change_parameters(0, session.snapshot()->ladder()[stage].cpu_variants.back());
    EXPECT_EQ(session.snapshot()->shipped_speed(stage), nullptr);
}

} // namespace
