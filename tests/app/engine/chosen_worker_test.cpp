// A session changes its worker while it shows something.
#include "tests/app/session/session_support.h"
#include "tests/paths.h"
#include "tests/says.h"

namespace {

using test::Session;
using test::SessionTest;
using test::says;
using test::stage_named;

TEST_F(SessionTest, AnotherWorkerTakesOverAndWhatTheOneBeforeMadeIsForgotten)
{
    Session session(measuring(true));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready() && script->benches > 0; }));
    ASSERT_TRUE(session.snapshot()->gpu());
    session.use_worker({test::scripted_worker(), {}});
    EXPECT_EQ(session.worker().command, test::scripted_worker());
    ASSERT_TRUE(eventually(session, [&] {
        return session.snapshot()->ready() && session.snapshot()->columns.front().recording != nullptr;
    }));
    EXPECT_FALSE(session.snapshot()->gpu());
    EXPECT_NE(session.snapshot()->machine()->device->name, "fake GPU");
    EXPECT_FALSE(session.snapshot()->columns.front().recording->blocks.at(0).warps.empty())
        << "the worker records the block in full";
    for (const app::StageStatus& status : session.snapshot()->status)
        EXPECT_FALSE(status.timing) << "these are times of another machine";
}

// The second GPU of the worker takes twice as long. When a GPU is chosen again, its earlier times are shown.
TEST_F(SessionTest, EachGpuHasItsOwnTimesWhichComeBackWithIt)
{
    Session session(measuring(false));
    app::Sizes sizes = session.snapshot()->choice.sizes;
    sizes.timed = {.M = 64, .N = 64, .K = 64}; // small, because the worker computes the baselines on the CPU
    session.change([&](app::Choice& choice) { choice.sizes = sizes; });
    const std::size_t naive = stage_named(session, "naive");
    const auto found = [&](const char* gpu, const char* name) {
        session.use_worker({test::scripted_worker() + " gpu Fake 4", gpu});
        EXPECT_TRUE(eventually(session, [&] { return session.snapshot()->gpu(); }));
        EXPECT_EQ(session.snapshot()->machine()->device->name, name);
        return session.snapshot()->stage(naive);
    };
    const auto timed = [&] {
        EXPECT_TRUE(eventually(session, [&] { return session.snapshot()->stage(naive).timing.has_value(); }));
        return session.snapshot()->stage(naive);
    };
    EXPECT_FALSE(found("GPU-aaaa-0", "Fake").timing);
    EXPECT_EQ(timed().timing.value().median_ms, 4);
    EXPECT_FALSE(found("GPU-bbbb-1", "Fake b").timing) << "these are times of the other GPU";
    const app::StageStatus second = timed();
    EXPECT_EQ(second.timing.value().median_ms, 8);
    EXPECT_EQ(second.speed.gflops.from().device, "Fake b");
    const app::StageStatus again = found("GPU-aaaa-0", "Fake");
    ASSERT_TRUE(again.timing);
    EXPECT_EQ(again.timing->median_ms, 4);
    EXPECT_EQ(again.speed.gflops.from().device, "Fake");
}

TEST_F(SessionTest, AWorkerThatDoesNotAnswerIsToldAndAnotherCanBeChosen)
{
    app::SessionOptions with = options(true);
    with.worker.in_process = false;
    with.worker.command = "echo no worker is here >&2; exit 3";
    Session session(with);
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->machine() != nullptr; }));
    EXPECT_FALSE(session.snapshot()->machine()->device);
    EXPECT_TRUE(says(session.snapshot()->machine()->error, "no worker is here"));
    EXPECT_TRUE(says(session.snapshot()->notice, "tried again"));
    session.use_worker({test::scripted_worker(), {}});
    ASSERT_TRUE(eventually(session, [&] {
        return session.snapshot()->ready() && session.snapshot()->columns.front().recording != nullptr;
    }));
}

} // namespace
