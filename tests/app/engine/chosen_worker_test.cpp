// A session whose worker is exchanged while it shows something.
#include "tests/app/session/session_support.h"
#include "tests/paths.h"
#include "tests/says.h"

namespace {

using test::Session;
using test::SessionTest;
using test::says;

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
        << "recorded by that worker";
    for (const app::StageStatus& status : session.snapshot()->status)
        EXPECT_FALSE(status.timing) << "times of another machine";
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
