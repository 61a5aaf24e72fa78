// A session whose worker is exchanged while it shows something.
#include "tests/app/session/session_support.h"

namespace {

using app::Session;
using test::SessionTest;

TEST_F(SessionTest, AnotherWorkerTakesOverAndWhatTheOneBeforeMadeIsForgotten)
{
    Session session(options(true));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->settled() && script->benches > 0; }));
    ASSERT_TRUE(session.snapshot()->gpu());
    session.use_worker({SCRIPTED_WORKER, {}});
    EXPECT_EQ(session.worker().command, SCRIPTED_WORKER);
    ASSERT_TRUE(eventually(
        session, [&] { return session.snapshot()->settled() && session.snapshot()->first().recording != nullptr; }));
    EXPECT_FALSE(session.snapshot()->gpu());
    EXPECT_NE(session.snapshot()->machine()->device->name, "fake GPU");
    EXPECT_FALSE(session.snapshot()->first().recording->blocks.at(0).warps.empty()) << "recorded by that worker";
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
    EXPECT_NE(session.snapshot()->machine()->error.find("no worker is here"), std::string::npos);
    EXPECT_NE(session.snapshot()->notice.find("tried again"), std::string::npos);
    session.use_worker({SCRIPTED_WORKER, {}});
    ASSERT_TRUE(eventually(
        session, [&] { return session.snapshot()->settled() && session.snapshot()->first().recording != nullptr; }));
}

} // namespace
