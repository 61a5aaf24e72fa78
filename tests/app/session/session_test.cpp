// The session with a fake backend: requests, replaced and cancelled requests, measurements.
#include "tests/app/said.h"
#include "tests/app/session/session_support.h"
#include "tests/kernels/recording/sample_recording.h"
#include "tests/says.h"

#include "recording/file.h"
#include "temporary_folder.h"

#include <unistd.h>

#include <filesystem>

namespace {

namespace fs = std::filesystem;
using test::Session;
using test::SessionTest;
using test::stage_named;
using test::says;

TEST_F(SessionTest, RecordsTheChosenStageWithoutBeingWaitedFor)
{
    script->hold = true;
    Session session(options(false));
    EXPECT_EQ(session.snapshot()->columns.front().recording, nullptr);
    EXPECT_FALSE(session.snapshot()->columns.front().status.empty());
    script->hold = false;
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    ASSERT_NE(session.snapshot()->columns.front().recording, nullptr);
    EXPECT_EQ(session.snapshot()->columns.front().recording->stage, "vectorized");
    EXPECT_EQ(session.snapshot()->columns.front().recording->problem.M, 256u);
}

TEST_F(SessionTest, PreparesTheKernelsOfAllStagesTogether)
{
    Session session(measuring(true));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->measured(); }));
    EXPECT_GE(script->prepared_to_record, 1);
    EXPECT_EQ(script->most_prepared, session.snapshot()->ladder().size());
    EXPECT_EQ(script->most_inside, 1);
}

TEST_F(SessionTest, WhatIsShownIsTimedBeforeOthersAreCompiled)
{
    script->hold_bench = true;
    app::SessionOptions measured = measuring(true);
    measured.second = "swizzled";
    Session session(measured);
    ASSERT_TRUE(eventually(session, [&] { return script->benches > 0; }));
    EXPECT_EQ(script->most_prepared, 2u);
    EXPECT_EQ(session.snapshot()->stage(stage_named(session, "naive")).verdict, app::Verdict::unknown);
    script->hold_bench = false;
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->measured(); }));
    EXPECT_EQ(session.snapshot()->stage(stage_named(session, "naive")).verdict, app::Verdict::right);
    EXPECT_TRUE(session.snapshot()->stage(stage_named(session, "swizzled")).speed.gflops);
}

TEST_F(SessionTest, AKernelThatCannotBePreparedHoldsUpNoOther)
{
    script->breaks = true;
    Session session(measuring(true));
    EXPECT_TRUE(eventually(session, [&] {
        return session.snapshot()->measured() && session.snapshot()->columns.front().recording != nullptr;
    }));
    EXPECT_GE(script->prepared_to_record, 1);
}

TEST_F(SessionTest, TheLatestChoiceWins)
{
    script->hold = true;
    Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return script->records == 1; }));
    session.change([&](app::Choice& choice) { choice.show(stage_named(session, "naive")); });
    session.change([&](app::Choice& choice) { choice.show(stage_named(session, "coalesced")); });
    session.poll(); // requests the stop; otherwise the recording would complete once it is not held any more
    script->hold = false;
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    EXPECT_EQ(session.snapshot()->columns.front().recording->stage, "coalesced");
    // The recording in between may have begun before the last stage was chosen.
    EXPECT_EQ(script->stopped, script->records - 1) << "all recordings except the last one were stopped";
}

TEST_F(SessionTest, ACancelledRecordingSaysHowToMakeIt)
{
    script->hold = true;
    Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return script->records == 1; }));
    session.cancel();
    ASSERT_TRUE(eventually(session, [&] { return !session.snapshot()->busy(); }));
    EXPECT_EQ(session.snapshot()->columns.front().recording, nullptr);
    EXPECT_TRUE(says(viz::plain(session.snapshot()->columns.front().status), "cancelled"));
    script->hold = false;
    session.record_again();
    EXPECT_TRUE(eventually(session, [&] { return session.snapshot()->columns.front().recording != nullptr; }));
}

TEST_F(SessionTest, KeepsWhatWasRecorded)
{
    Session session(options(false));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    const auto before = session.snapshot()->columns.front().recording;
    session.change([&](app::Choice& choice) { choice.show(stage_named(session, "naive")); });
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    session.change([&](app::Choice& choice) { choice.show(stage_named(session, "vectorized")); });
    EXPECT_EQ(session.snapshot()->columns.front().recording, before);
}

TEST_F(SessionTest, RecordsTheChosenBlockBesideTheFirst)
{
    Session session(options(false));
    session.change([&](app::Choice& choice) {
        choice.sizes.recorded = {.M = 512, .N = 512, .K = 64}; // so many blocks that not all are recorded in full
        choice.block = {1, 1, 0};
    });
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    ASSERT_EQ(session.snapshot()->columns.front().recording->blocks.size(), 2u);
    EXPECT_EQ(session.snapshot()->columns.front().recording->blocks[0].block, (recording::Index3{0, 0, 0}));
    EXPECT_EQ(session.snapshot()->columns.front().recording->blocks[1].block, (recording::Index3{1, 1, 0}));
}

TEST_F(SessionTest, WithoutAGpuVerifiesAndSaysWhyThereIsNoSpeed)
{
    Session session(measuring(false));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->measured() && session.snapshot()->ready(); }));
    EXPECT_EQ(session.snapshot()->machine()->why_no_gpu, "There is no GPU in this test.");
    for (std::size_t i = 0; i < session.snapshot()->ladder().size(); ++i) {
        EXPECT_EQ(session.snapshot()->stage(i).verdict, app::Verdict::right) << session.snapshot()->stage(i).said;
        EXPECT_EQ(session.snapshot()->stage(i).speed.gflops, recording::Missing::no_gpu);
    }
    EXPECT_EQ(script->benches, 0);
}

TEST_F(SessionTest, OnAGpuTimesEveryStageOneCallAtATime)
{
    Session session(measuring(true));
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->measured() && session.snapshot()->ready(); }));
    const app::SnapshotPtr snapshot = session.snapshot();
    const app::StageStatus& rung = snapshot->stage(stage_named(session, "naive"));
    EXPECT_NEAR(*rung.speed.gflops, 2.0 * 4096 * 4096 * 4096 / 2e-3 * 1e-9, 1);
    EXPECT_NEAR(*rung.speed.of_cublas, 0.5, 1e-9);
    EXPECT_EQ(rung.speed.gflops.from().device, "fake GPU");
    EXPECT_NEAR(*session.snapshot()->cublas_gflops(), 2.0 * 4096 * 4096 * 4096 / 1e-3 * 1e-9, 1);
    EXPECT_EQ(script->most_inside, 1);
}

TEST_F(SessionTest, AWrongResultHasNoSpeed)
{
    script->wrong = true;
    Session session(measuring(true));
    const std::size_t naive = stage_named(session, "naive");
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->stage(naive).verdict == app::Verdict::wrong; }));
    EXPECT_EQ(session.snapshot()->stage(naive).speed.gflops, recording::Missing::wrong_result);
}

TEST_F(SessionTest, ARecordingInterruptsAMeasurementThatIsThenMadeAgain)
{
    script->hold_bench = true;
    Session session(measuring(true));
    ASSERT_TRUE(eventually(session, [&] { return script->benches > 0; }));
    session.change([&](app::Choice& choice) { choice.show(stage_named(session, "naive")); });
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    EXPECT_EQ(session.snapshot()->columns.front().recording->stage, "naive");
    script->hold_bench = false;
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->measured(); }));
    EXPECT_EQ(script->most_inside, 1);
}

// The stage's name in a file may be any text.
TEST_F(SessionTest, WhatIsSavedStaysInTheCurrentDirectory)
{
    const fs::path before = fs::current_path();
    const kernels::TemporaryFolder folder;
    fs::create_directories(folder / "here");
    fs::current_path(folder / "here");
    recording::Recording odd = sample::recording();
    odd.stage = "../there";
    recording::write(odd, folder / "odd.gscope");
    app::SessionOptions with_file = options(false);
    with_file.file = folder / "odd.gscope";
    {
        Session session(with_file);
        ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->columns.front().recording != nullptr; }));
        session.save();
        ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->notice.starts_with("Saved "); }));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2) << "the saved file and the folder";
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "here"), {}), 1);
    fs::current_path(before);
}

TEST_F(SessionTest, AFileThatIsNoRecordingGetsASentence)
{
    app::SessionOptions with_file = options(false);
    with_file.file = "/nowhere/at/all.gscope";
    Session session(with_file);
    ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
    EXPECT_EQ(session.snapshot()->columns.front().recording, nullptr);
    const std::string status = viz::plain(session.snapshot()->columns.front().status);
    EXPECT_TRUE(says(status, "all.gscope"));
}

TEST_F(SessionTest, UnknownStagesAreNamedWithTheValidOnes)
{
    app::SessionOptions wrong = options(false);
    wrong.first = "fastest_of_all";
    EXPECT_THROW(Session{wrong}, kernels::Error);
}

} // namespace
