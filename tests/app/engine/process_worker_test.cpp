// Tasks in another process, which a test lets end, hang or send nothing, or kills: see
// tests/worker/scripted_worker.cpp.
#include "app/engine/process_worker.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/played_clock.h"
#include "tests/says.h"
#include "tests/waiting.h"
#include "tests/worker/descendants.h"
#include "tests/worker/misfortunes.h"

#include "recording/file.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using app::Lane;
using test::Misfortune;
using test::ladder;
using test::says;

app::StageJob naive_job(uint32_t M, uint32_t N = 8, uint32_t K = 8)
{
    const kernels::Stage& stage = test::stage("naive");
    return app::named(
        kernels::Job{&stage, stage.standard_parameters(), {.M = M, .N = N, .K = K, .alpha = 1, .beta = 0}});
}

app::RecordTask record(uint32_t M)
{
    return {naive_job(M), {{0, 0, 0}}, true};
}

app::RecordTask record(Misfortune misfortune)
{
    return record(static_cast<uint32_t>(misfortune));
}

// The clock stands still, so that no process exceeds a time limit unless the test advances the clock.
app::ProcessOptions options(std::vector<std::string> more = {})
{
    std::vector<std::string> command = {test::scripted_worker()};
    command.insert(command.end(), more.begin(), more.end());
    return {.command = std::move(command), .wanted = {"cpu", {}}, .now = test::PlayedClock().reader()};
}

app::Result run(app::Worker& worker, const app::Task& task, Lane lane = Lane::recording, std::stop_token stop = {})
{
    return worker.run(task, lane, std::move(stop), [](const app::Progress&) {});
}

const recording::Recording& recording_in(const app::Result& result)
{
    return *std::get<app::RecordResult>(result).recorded.recording;
}

// Returns the message of the error that the task throws.
std::string failure(app::Worker& worker, const app::Task& task, Lane lane = Lane::recording)
{
    return test::refusal([&] { run(worker, task, lane); });
}

class ProcessWorkerTest : public testing::Test {
protected:
    ProcessWorkerTest() { setenv("SCRIPTED_MARK", mark.c_str(), 1); }
    ~ProcessWorkerTest() override { unsetenv("SCRIPTED_MARK"); }

    // Returns whether the worker has begun to misbehave.
    bool is_marked() const { return std::filesystem::exists(mark); }

    const kernels::TemporaryFolder folder;
    const std::filesystem::path mark = folder / "mark";
};

TEST_F(ProcessWorkerTest, DoesWhatThisProcessWouldDo)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    const app::Result there = run(worker, record(40));
    const kernels::Job own = *app::find_job(ladder(), naive_job(40));
    const recording::Recording here = test::record(own);
    EXPECT_TRUE(recording::differences(recording_in(there), here).empty());
    ASSERT_NE(worker.machine(), nullptr);
    EXPECT_EQ(worker.machine()->device->backend, "cpu");
    EXPECT_TRUE(std::get<app::VerifyResult>(run(worker, app::VerifyTask{.job = naive_job(33)}, Lane::ladder)).worst.ok);
    EXPECT_EQ(worker.take_notice(), "");
}

TEST_F(ProcessWorkerTest, ALargeRecordingComesWholeAndOthersGoBetween)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    const app::Result large = run(worker, app::RecordTask{naive_job(256, 256, 64), {{0, 0, 0}}, true});
    EXPECT_EQ(recording_in(large).problem.M, 256u);
    EXPECT_EQ(recording_in(large).owner.size(), 256u * 256u);
}

TEST_F(ProcessWorkerTest, WhatIsSaidBeforeTheGreetingIsSkippedAndWhatLibrariesPrintIsNoMessage)
{
    app::ProcessWorker worker(ladder(), options({"words"}), [] {});
    EXPECT_EQ(recording_in(run(worker, record(Misfortune::prints))).stage, "naive");
    EXPECT_EQ(worker.take_notice(), "");
}

TEST_F(ProcessWorkerTest, AnotherVersionIsRefusedInASentence)
{
    app::ProcessWorker worker(ladder(), options({"stranger"}), [] {});
    const std::string why = failure(worker, record(40));
    EXPECT_TRUE(says(why, "gemmscope worker 0.0 protocol 0"));
    EXPECT_TRUE(says(why, "same version"));
    ASSERT_NE(worker.machine(), nullptr);
    EXPECT_EQ(worker.machine()->error, why);
}

TEST_F(ProcessWorkerTest, ACommandThatIsNoneIsToldWithItsLastWords)
{
    app::ProcessWorker dumb(ladder(), options({"dumb"}), [] {});
    const std::string why = failure(dumb, record(40));
    EXPECT_TRUE(says(why, "status 127"));
    EXPECT_TRUE(says(why, "no such command"));
    app::ProcessWorker none(ladder(), {.command = {"/nonexistent/gemmscope"}}, [] {});
    EXPECT_TRUE(says(failure(none, record(40)), "/nonexistent/gemmscope could not be started"));
}

TEST_F(ProcessWorkerTest, ATaskThatEndsItsProcessFailsInASentenceAndTheNextOneIsRight)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    const std::string why = failure(worker, record(Misfortune::aborts));
    EXPECT_TRUE(says(why, "Recording naive at 1001x8x8"));
    EXPECT_TRUE(says(why, "signal 6"));
    EXPECT_TRUE(says(why, "all is well"));
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u);
}

TEST_F(ProcessWorkerTest, ATaskThatEndsItsProcessInALibraryFailsWithTheLibrarysNameAndIsNotTriedAgain)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    const std::string why = failure(worker, record(Misfortune::aborts_in_a_library));
    EXPECT_TRUE(says(why, "The compiler crashes on x.cu."));
    EXPECT_FALSE(says(why, "signal"));
}

TEST_F(ProcessWorkerTest, WhatWasUnderWayBesideItIsDoneAgainAndNotBlamed)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    std::atomic<int> right = 0;
    std::jthread beside([&] {
        for (int i = 0; i < 5; ++i)
            right +=
                std::get<app::VerifyResult>(run(worker, app::VerifyTask{.job = naive_job(300, 64, 64)}, Lane::ladder))
                    .worst.ok;
    });
    for (int i = 0; i < 2; ++i)
        EXPECT_NE(failure(worker, record(Misfortune::aborts)), "");
    beside.join();
    EXPECT_EQ(right, 5);
}

TEST_F(ProcessWorkerTest, AProcessThatCrashedOnceDoesTheTaskTheNextTimeAndSaysSo)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    EXPECT_EQ(recording_in(run(worker, record(Misfortune::aborts_once))).stage, "naive");
    const std::string notice = worker.take_notice();
    EXPECT_TRUE(says(notice, "recording naive at"));
}

TEST_F(ProcessWorkerTest, ATaskThatNeverEndsIsKilledByTheLimitAndNoOtherIsLost)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    const pid_t before = worker.process();
    const std::string why = failure(worker, record(Misfortune::never_ends));
    EXPECT_TRUE(says(why, "gave no sign of life for 3,600 s"));
    EXPECT_TRUE(says(why, "--time-limit"));
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u);
    EXPECT_NE(worker.process(), before);
    EXPECT_NE(kill(before, 0), 0) << "the old process has ended";
}

// A compilation sends only signs of life. They extend the 30 s that a task may be silent, but a process without them is
// replaced.
TEST_F(ProcessWorkerTest, ALongCompilationIsNotTakenForOneThatHangs)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    const pid_t before = worker.process();
    const auto slow = static_cast<uint32_t>(Misfortune::compiles_for_long);
    EXPECT_EQ(recording_in(run(worker, record(slow))).problem.M, slow);
    EXPECT_EQ(worker.process(), before);
    const std::string why = failure(worker, record(Misfortune::compiles_for_ever));
    EXPECT_TRUE(says(why, "gave no sign of life for 3,620 s")) << "the time since the last sign of life";
}

// If cancelling waited for a task that does not stop, this test would hang.
TEST_F(ProcessWorkerTest, CancellingDoesNotWaitForWhatDoesNotStop)
{
    test::PlayedClock clock;
    app::ProcessOptions own = options();
    own.now = clock.reader();
    app::ProcessWorker worker(ladder(), own, [] {});
    run(worker, record(40));
    for (const Misfortune misfortune : {Misfortune::waits_to_be_stopped, Misfortune::does_not_stop}) {
        std::filesystem::remove(mark);
        std::stop_source stop;
        std::jthread soon([&] {
            EXPECT_TRUE(test::happens([&] { return is_marked(); }));
            stop.request_stop();
        });
        EXPECT_THROW(run(worker, record(misfortune), Lane::recording, stop.get_token()), kernels::Cancelled);
    }
    clock.advance(10s); // longer than a cancelled task may take to stop
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u) << "the worker started another process";
}

TEST_F(ProcessWorkerTest, ClosedItWaitsForNothing)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    std::jthread soon([&] {
        EXPECT_TRUE(test::happens([&] { return is_marked(); }));
        worker.close();
    });
    EXPECT_THROW(run(worker, record(Misfortune::does_not_stop)), kernels::Cancelled);
    EXPECT_THROW(run(worker, record(40)), kernels::Cancelled);
}

TEST_F(ProcessWorkerTest, MemoryThatRunsOutAndADeviceThatIsLostAreOneTasksMisfortune)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    EXPECT_TRUE(says(failure(worker, record(Misfortune::no_memory)), "Not enough memory"));
    EXPECT_TRUE(says(failure(worker, record(Misfortune::faults)), "memory that is not its own"));
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u);
}

TEST_F(ProcessWorkerTest, FilesAreReadHere)
{
    app::ProcessWorker worker(ladder(), {.command = {"/nonexistent/gemmscope"}}, [] {});
    EXPECT_TRUE(says(failure(worker, app::OpenTask{"/nonexistent.gscope", {}}, Lane::files), "/nonexistent.gscope"));
}

// Each new process ends before it is ready, several times in a row. The task waits for one that works, but not forever.
TEST_F(ProcessWorkerTest, OneThatHasWorkedIsWorthWaitingForButNotForEver)
{
    const std::filesystem::path down = folder / "down", starts = folder / "starts";
    const std::string command =
        "test -e " + down.string() + " && echo >>" + starts.string() + " && exit 3; exec " + test::scripted_worker();
    const auto started = [&] { return std::filesystem::exists(starts) ? std::filesystem::file_size(starts) : 0; };
    test::PlayedClock clock;
    app::ProcessWorker worker(
        ladder(), {.command = {"/bin/sh", "-c", command}, .wanted = {"cpu", {}}, .now = clock.reader()}, [] {});
    run(worker, record(40));
    std::ofstream(down) << "x";
    kill(worker.process(), SIGKILL);
    {
        const std::jthread soon([&] {
            EXPECT_TRUE(test::happens([&] { return started() > 3; }));
            std::filesystem::remove(down);
        });
        EXPECT_EQ(recording_in(run(worker, record(41))).problem.M, 41u);
    }
    std::ofstream(down) << "x";
    kill(worker.process(), SIGKILL);
    const auto before = started();
    EXPECT_TRUE(test::happens([&] { return started() > before + 3; }));
    clock.advance(11s);
    EXPECT_THROW(run(worker, record(42)), kernels::Unavailable);
}

// A harmful answer neither ends this process nor exhausts its memory. The worker process is replaced, with a notice.
TEST_F(ProcessWorkerTest, WhoAnswersWithHarmIsReplaced)
{
    for (const char* what : {"nested", "nulls", "large", "stranger"}) {
        app::ProcessWorker worker(ladder(), options({"hostile", what}), [] {});
        const long before = test::resident_of(getpid());
        std::jthread asks([&] {
            try {
                run(worker, app::PrepareTask{});
                ADD_FAILURE() << what;
            } catch (const kernels::Error&) {
            }
        });
        std::string notice;
        EXPECT_TRUE(test::happens([&] { return !(notice = worker.take_notice()).empty(); })) << what;
        EXPECT_TRUE(says(notice, "was replaced")) << what;
        EXPECT_LT(test::resident_of(getpid()) - before, 400 * 1024) << "KiB, after " << what;
        worker.close();
    }
}

// Each reading of the clock advances it by a second.
TEST_F(ProcessWorkerTest, WhoNeverGreetsOrNeverWorksIsReplaced)
{
    for (const char* what : {"text", "lines", "pulses"}) {
        app::ProcessOptions own = options({"hostile", what});
        own.now = test::PlayedClock().running(1s);
        app::ProcessWorker worker(ladder(), own, [] {});
        const std::string why = failure(worker, record(40));
        EXPECT_TRUE(says(why, "does not work")) << what;
    }
    app::ProcessOptions own = options({"hostile", "idle"});
    own.now = test::PlayedClock().running(1s);
    app::ProcessWorker worker(ladder(), own, [] {});
    EXPECT_TRUE(says(failure(worker, record(40)), "came to nothing"));
}

// Runs tasks over a connection that `pipe` delays, cuts or garbles. Each result is correct, or the task fails with a
// sentence.
void run_over_pipe(const std::vector<std::string>& pipe, int tasks, int least_right)
{
    app::ProcessWorker worker(ladder(), options(pipe), [] {});
    int right = 0;
    for (int i = 0; i < tasks; ++i)
        try {
            const auto size = static_cast<uint32_t>(30 + i);
            EXPECT_EQ(recording_in(run(worker, record(size))).problem.M, size);
            ++right;
        } catch (const kernels::Error& error) {
            EXPECT_NE(std::string(error.what()), "");
        }
    EXPECT_GE(right, least_right);
}

TEST_F(ProcessWorkerTest, OfALateConnectionEverythingComes)
{
    run_over_pipe({"pipe", "20", "0", "0"}, 4, 4);
}

TEST_F(ProcessWorkerTest, OfOneThatIsCutWhatWasUnderWayIsDoneAgain)
{
    run_over_pipe({"pipe", "0", "8000", "0"}, 12, 12);
}

TEST_F(ProcessWorkerTest, OfOneThatGarblesNothingWrongComes)
{
    run_over_pipe({"pipe", "0", "0", "12000"}, 12, 12);
}

// GEMMSCOPE_CHAOS is the number of kills. The default is small enough for every run of the tests.
TEST_F(ProcessWorkerTest, KilledAtRandomMomentsItLosesNothingAndTellsNothingWrong)
{
    using Clock = std::chrono::steady_clock;
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    const recording::Recording should = recording_in(run(worker, record(48)));
    kill(worker.process(), SIGKILL);
    const auto begin = Clock::now();
    run(worker, record(48));
    // The time of the longest task so far, including the start of a process. It determines the time between kills:
    // tasks take longer on a busy machine, and a task whose process is killed several times fails.
    std::atomic<long> longest = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - begin).count();
    const char* asked = std::getenv("GEMMSCOPE_CHAOS");
    const int wanted = asked != nullptr ? std::atoi(asked) : 10;
    std::atomic<int> kills = 0, recorded = 0, verified = 0;
    std::jthread killer([&](const std::stop_token& stop) {
        std::mt19937 random(std::random_device{}());
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(
                std::chrono::milliseconds(static_cast<long>(random() % 1000) * 4 * longest / 1000));
            if (const pid_t process = worker.process(); process > 0 && kill(process, SIGKILL) == 0)
                ++kills;
        }
    });
    const auto keep_on = [&](auto work, Lane lane) {
        return std::jthread([&, work, lane] {
            EXPECT_TRUE(test::happens([&] {
                const auto start = Clock::now();
                try {
                    work(lane);
                    const auto took = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - start).count();
                    longest = std::max<long>(longest, std::min<long>(took, 3000)); // or the kills would take minutes
                } catch (const kernels::Error& error) {
                    ADD_FAILURE() << error.what();
                }
                return kills >= wanted && recorded > 3 && verified > 3;
            }));
        });
    };
    {
        const std::jthread one = keep_on(
            [&](Lane lane) {
                EXPECT_TRUE(recording::differences(recording_in(run(worker, record(48), lane)), should).empty());
                ++recorded;
            },
            Lane::recording);
        const std::jthread other = keep_on(
            [&](Lane lane) {
                EXPECT_TRUE(
                    std::get<app::VerifyResult>(run(worker, app::VerifyTask{.job = naive_job(33)}, lane)).worst.ok);
                ++verified;
            },
            Lane::ladder);
    }
    killer.request_stop();
    killer.join();
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u);
    std::printf("%d kills, %d recordings, %d verifications\n", kills.load(), recorded.load(), verified.load());
}

} // namespace
