// Tasks in another process, which the test has end, hang, fall silent and be killed: see tests/worker/scripted_worker.cpp.
#include "app/worker/process_worker.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/worker/misfortunes.h"

#include "recording/file.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

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
using Clock = std::chrono::steady_clock;
using test::ladder;
using test::says;

app::StageJob job(uint32_t M, uint32_t N = 8, uint32_t K = 8)
{
    const kernels::Stage& stage = test::stage("naive");
    return app::named(
        kernels::Job{&stage, stage.standard_parameters(), {.M = M, .N = N, .K = K, .alpha = 1, .beta = 0}});
}

app::RecordTask record(uint32_t M)
{
    return {job(M), {{0, 0, 0}}, true};
}

app::RecordTask record(Misfortune misfortune)
{
    return record(static_cast<uint32_t>(misfortune));
}

app::ProcessOptions options(std::vector<std::string> more = {})
{
    std::vector<std::string> command = {test::scripted_worker()};
    command.insert(command.end(), more.begin(), more.end());
    return {.command = std::move(command), .wanted = {"cpu", {}}};
}

app::Result run(app::Worker& worker, const app::Task& task, Lane lane = Lane::recording, std::stop_token stop = {})
{
    return worker.run(task, lane, std::move(stop), [](const app::Progress&) {});
}

const recording::Recording& recording_in(const app::Result& result)
{
    return *std::get<app::RecordResult>(result).recorded.recording;
}

// What the task throws, as words.
std::string failure(app::Worker& worker, const app::Task& task, Lane lane = Lane::recording)
{
    return test::refusal([&] { run(worker, task, lane); });
}

class ProcessWorkerTest : public testing::Test {
protected:
    static app::ProcessOptions patient(std::chrono::milliseconds patience)
    {
        app::ProcessOptions result = options();
        result.patience = patience;
        return result;
    }
};

TEST_F(ProcessWorkerTest, DoesWhatThisProcessWouldDo)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    const app::Result there = run(worker, record(40));
    const kernels::Job own = *app::find_job(ladder(), job(40));
    const recording::Recording here = test::record(own);
    EXPECT_TRUE(recording::differences(recording_in(there), here).empty());
    ASSERT_NE(worker.machine(), nullptr);
    EXPECT_EQ(worker.machine()->device->backend, "cpu");
    EXPECT_TRUE(std::get<app::VerifyResult>(run(worker, app::VerifyTask{.job = job(33)}, Lane::ladder)).worst.ok);
    EXPECT_EQ(worker.take_notice(), "");
}

TEST_F(ProcessWorkerTest, ALargeRecordingComesWholeAndOthersGoBetween)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    const app::Result large = run(worker, app::RecordTask{job(256, 256, 64), {{0, 0, 0}}, true});
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

TEST_F(ProcessWorkerTest, WhatWasUnderWayBesideItIsDoneAgainAndNotBlamed)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    std::atomic<int> right = 0;
    std::jthread beside([&] {
        for (int i = 0; i < 5; ++i)
            right += std::get<app::VerifyResult>(run(worker, app::VerifyTask{.job = job(300, 64, 64)}, Lane::ladder))
                         .worst.ok;
    });
    for (int i = 0; i < 2; ++i)
        EXPECT_NE(failure(worker, record(Misfortune::aborts)), "");
    beside.join();
    EXPECT_EQ(right, 5);
}

TEST_F(ProcessWorkerTest, AProcessThatCrashedOnceDoesTheTaskTheNextTimeAndSaysSo)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path mark = folder / "mark";
    setenv("SCRIPTED_MARK", mark.c_str(), 1);
    app::ProcessWorker worker(ladder(), options(), [] {});
    EXPECT_EQ(recording_in(run(worker, record(Misfortune::aborts_once))).stage, "naive");
    const std::string notice = worker.take_notice();
    EXPECT_TRUE(says(notice, "recording naive at"));
}

TEST_F(ProcessWorkerTest, ATaskThatNeverEndsIsKilledByTheLimitAndNoOtherIsLost)
{
    app::ProcessOptions own = patient(-9900ms); // 10 s are expected of a recording of this size
    app::ProcessWorker worker(ladder(), own, [] {});
    run(worker, record(40));
    const pid_t before = worker.process();
    const auto begin = Clock::now();
    const std::string why = failure(worker, record(Misfortune::never_ends));
    EXPECT_LT(Clock::now() - begin, 8s);
    EXPECT_TRUE(says(why, "gave no sign of life"));
    EXPECT_TRUE(says(why, "--time-limit"));
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u);
    EXPECT_NE(worker.process(), before);
    EXPECT_NE(kill(before, 0), 0) << "the old process has ended";
}

// It says nothing for longer than a task may, but that it lives; and that not for ever.
TEST_F(ProcessWorkerTest, ALongCompilationIsNotTakenForOneThatHangs)
{
    app::ProcessWorker worker(ladder(), patient(-9500ms), [] {}); // half a second without a sign of life
    run(worker, record(40));
    const pid_t before = worker.process();
    const auto slow = static_cast<uint32_t>(Misfortune::compiles_for_long);
    EXPECT_EQ(recording_in(run(worker, record(slow))).problem.M, slow);
    EXPECT_EQ(worker.process(), before);
    const auto begin = Clock::now();
    const std::string why = failure(worker, record(Misfortune::compiles_for_ever));
    EXPECT_TRUE(says(why, "gave no sign of life"));
    EXPECT_GT(Clock::now() - begin, 1s);
    EXPECT_LT(Clock::now() - begin, 8s);
}

TEST_F(ProcessWorkerTest, CancellingDoesNotWaitForWhatDoesNotStop)
{
    app::ProcessOptions own = options();
    own.cancel_patience = 500ms;
    app::ProcessWorker worker(ladder(), own, [] {});
    run(worker, record(40));
    for (const Misfortune misfortune : {Misfortune::waits_to_be_stopped, Misfortune::never_ends}) {
        std::stop_source stop;
        std::jthread soon([&] {
            std::this_thread::sleep_for(100ms);
            stop.request_stop();
        });
        const auto begin = Clock::now();
        EXPECT_THROW(run(worker, record(misfortune), Lane::recording, stop.get_token()), kernels::Cancelled);
        EXPECT_LT(Clock::now() - begin, 1500ms);
    }
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u) << "after its process was ended";
}

TEST_F(ProcessWorkerTest, ClosedItWaitsForNothing)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    std::jthread soon([&] {
        std::this_thread::sleep_for(100ms);
        worker.close();
    });
    const auto begin = Clock::now();
    EXPECT_THROW(run(worker, record(Misfortune::never_ends)), kernels::Cancelled);
    EXPECT_THROW(run(worker, record(40)), kernels::Cancelled);
    EXPECT_LT(Clock::now() - begin, 1s);
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

// Somebody kills each process before it is ready, some times in a row: what was asked for is waited for, not lost.
TEST_F(ProcessWorkerTest, OneThatHasWorkedIsWorthWaitingFor)
{
    const kernels::TemporaryFolder folder;
    const std::filesystem::path mark = folder / "down";
    const std::string command = "test -e " + mark.string() + " && exit 3; exec " + test::scripted_worker();
    app::ProcessWorker worker(ladder(), {.command = {"/bin/sh", "-c", command}, .wanted = {"cpu", {}}}, [] {});
    run(worker, record(40));
    std::ofstream(mark) << "x";
    kill(worker.process(), SIGKILL);
    std::jthread soon([&] {
        std::this_thread::sleep_for(2500ms); // more than three starts
        std::filesystem::remove(mark);
    });
    EXPECT_EQ(recording_in(run(worker, record(41))).problem.M, 41u);
}

// Milliseconds of the fastest of some: what the way there and back costs at least.
TEST_F(ProcessWorkerTest, TheWayThereAndBackTakesLessThanTwoMilliseconds)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    double least = 1e9;
    for (int i = 0; i < 50; ++i) {
        const auto begin = Clock::now();
        run(worker, app::PrepareTask{});
        least = std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    RecordProperty("milliseconds", std::to_string(least));
    std::printf("%.2f ms there and back\n", least);
    EXPECT_LT(least, 2);
}

// GEMMSCOPE_LARGE: the side of the cube; by default small enough for every run of the tests.
TEST_F(ProcessWorkerTest, TheTransferOfARecordingIsTimed)
{
    const char* asked = std::getenv("GEMMSCOPE_LARGE");
    const uint32_t size = asked != nullptr ? static_cast<uint32_t>(std::atoi(asked)) : 256;
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    const auto begin = Clock::now();
    const app::Result result = run(worker, app::RecordTask{job(size, size, size), {{0, 0, 0}}, true});
    const double all = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    const double made = std::get<app::RecordResult>(result).milliseconds;
    std::printf(
        "naive at %u: recorded in %.0f ms; %zu bytes as a file; there, back and derived in %.0f ms beside that\n", size,
        made, recording::to_file_bytes(recording_in(result)).size(), all - made);
    EXPECT_LT(all - made, 1000 + made) << "most of it is the recording itself";
}

// Of a connection as bad as the arguments say: every task is right, or fails in a sentence, and no figure is wrong.
void suffer(const std::vector<std::string>& pipe, int tasks, int least_right)
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
    suffer({"pipe", "20", "0", "0"}, 4, 4);
}

TEST_F(ProcessWorkerTest, OfOneThatIsCutWhatWasUnderWayIsDoneAgain)
{
    suffer({"pipe", "0", "8000", "0"}, 12, 12);
}

TEST_F(ProcessWorkerTest, OfOneThatGarblesNothingWrongComes)
{
    suffer({"pipe", "0", "0", "12000"}, 12, 12);
}

// GEMMSCOPE_CHAOS: seconds; by default few enough for every run of the tests.
TEST_F(ProcessWorkerTest, KilledAtRandomMomentsItLosesNothingAndTellsNothingWrong)
{
    app::ProcessWorker worker(ladder(), options(), [] {});
    run(worker, record(40));
    const recording::Recording should = recording_in(run(worker, record(48)));
    kill(worker.process(), SIGKILL);
    const auto begin = Clock::now();
    run(worker, record(48));
    const auto usual = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - begin); // a start and a recording
    const char* asked = std::getenv("GEMMSCOPE_CHAOS");
    const auto until = Clock::now() + (asked != nullptr ? std::chrono::seconds(std::atoi(asked)) : 3s + 30 * usual);
    std::atomic<int> kills = 0, recorded = 0, verified = 0, lost = 0;
    std::jthread killer([&](const std::stop_token& stop) {
        std::mt19937 random(std::random_device{}());
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % (4 * usual.count())));
            if (const pid_t process = worker.process(); process > 0 && kill(process, SIGKILL) == 0)
                ++kills;
        }
    });
    const auto keep_on = [&](auto work, Lane lane) {
        return std::jthread([&, work, lane] {
            const auto enough = [&] { return recorded > 3 && verified > 3; }; // a busy machine takes longer
            while (Clock::now() < until || (!enough() && Clock::now() < until + 60s))
                try {
                    work(lane);
                } catch (const kernels::Error& error) {
                    ++lost;
                    ADD_FAILURE() << error.what();
                }
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
                EXPECT_TRUE(std::get<app::VerifyResult>(run(worker, app::VerifyTask{.job = job(33)}, lane)).worst.ok);
                ++verified;
            },
            Lane::ladder);
    }
    killer.request_stop();
    killer.join();
    EXPECT_EQ(recording_in(run(worker, record(40))).problem.M, 40u);
    EXPECT_GT(kills, 3);
    EXPECT_GT(recorded, 3);
    EXPECT_GT(verified, 3);
    EXPECT_EQ(lost, 0);
    std::printf("%d kills, %d recordings, %d verifications\n", kills.load(), recorded.load(), verified.load());
}

} // namespace
