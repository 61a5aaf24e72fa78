// A session records, measures and searches while its workers are killed at random and their answers are cut and
// garbled. GEMMSCOPE_KILLS is the number of kills. The default is small enough for every run of the tests.
#include "tests/app/session/session_support.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/worker/descendants.h"

#include "viz/text/templates.h"

#include "recording/file.h"
#include "temporary_folder.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <unistd.h>

namespace {

constexpr long most_growth = 64 * 1024; // in KiB

using namespace std::chrono_literals;
using test::Session;
using test::SessionTest;
using Clock = std::chrono::steady_clock;

constexpr double milliseconds_of_a_stage = 3; // the time that the scripted GPU reports

class ChaosTest : public SessionTest {
protected:
    app::SessionOptions with(const std::filesystem::path& tuned) const
    {
        app::SessionOptions result;
        result.worker.command = test::scripted_worker() + " pipe 0 400000 60000 gpu Fake 3";
        result.first = "naive";
        result.tuned = tuned;
        result.worker.now = test::PlayedClock().reader(); // the clock stands still, so no worker exceeds a time limit
        return result;
    }

    // Does what the window's thread does in a frame. That must never wait, so the longest time is printed.
    void poll(Session& session)
    {
        const auto begin = Clock::now();
        session.poll();
        session.snapshot();
        slowest = std::max(slowest, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }

    void kill_one(std::mt19937& random)
    {
        const std::vector<pid_t> all = test::descendants_of(getpid());
        if (!all.empty() && kill(all[random() % all.size()], SIGKILL) == 0)
            ++kills;
    }

    // Checks that all figures are those that the worker gives.
    static void expect_right(const app::Snapshot& now, const recording::Recording& naive)
    {
        for (const app::StageStatus& status : now.status) {
            EXPECT_NE(status.verdict, app::Verdict::wrong);
            if (status.timing) {
                EXPECT_EQ(status.timing->median_ms, milliseconds_of_a_stage);
            }
        }
        if (const auto& made = now.columns.front().recording; made != nullptr && made->stage == "naive") {
            EXPECT_TRUE(recording::differences(*made, naive).empty());
        }
        if (const app::SearchState* search = now.search())
            for (const kernels::Candidate& candidate : search->ranked)
                if (candidate.state == kernels::Candidate::State::right) {
                    EXPECT_EQ(candidate.timing.median_ms, milliseconds_of_a_stage);
                }
    }

    int kills = 0;
    double slowest = 0; // ms
};

TEST_F(ChaosTest, WorkersAreKilledAndAnswersGarbledWhileItRecordsMeasuresAndSearches)
{
    const char* asked = std::getenv("GEMMSCOPE_KILLS");
    const int wanted = asked != nullptr ? std::atoi(asked) : 8;
    const recording::Recording naive = test::record("naive", {.M = 128, .N = 128, .K = 128});
    const kernels::TemporaryFolder folder;
    std::mt19937 random(11);
    {
        const auto begin = Clock::now();
        Session session(with(folder / "tuned.json"));
        ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->ready(); }));
        // Time for a start and a recording on this machine. If workers were killed faster, none would finish anything.
        const auto usual = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - begin);
        const std::size_t autotuned = test::stage_named(session, "autotuned"),
                          first = test::stage_named(session, "naive");
        const long before = test::resident_of(getpid());
        int rounds = 0, recorded = 0, searched = 0;
        std::map<std::string, int> lost; // number of recordings that failed, by reason
        auto next_kill = Clock::now();
        EXPECT_TRUE(test::happens(
            [&] {
                if (Clock::now() >= next_kill) {
                    kill_one(random);
                    next_kill =
                        Clock::now() + std::chrono::milliseconds(random() % (4 * static_cast<uint64_t>(usual.count())));
                }
                const app::SnapshotPtr now = session.snapshot();
                if (now->ready()) { // gives the session something else to do
                    recorded += now->columns.front().recording != nullptr;
                    if (now->columns.front().recording == nullptr && rounds > 0)
                        ++lost[viz::plain(now->columns.front().status)];
                    expect_right(*now, naive);
                    if (++rounds % 3 == 0) {
                        searched += now->search() != nullptr && now->search()->whole;
                        session.leave_search();
                        session.leave_search();
                        session.search_parameters(autotuned);
                    }
                    session.change([&](app::Choice& choice) { choice.show(rounds % 2 == 0 ? first : first + 1); });
                    session.record_again();
                }
                poll(session);
                return kills >= wanted && recorded > 0;
            },
            4ms));
        session.change([&](app::Choice& choice) { choice.show(first); });
        ASSERT_TRUE(eventually(session, [&] { // a cancelled search ends with its process
            session.leave_search();
            return session.snapshot()->search() == nullptr;
        }));
        session.use_worker({test::scripted_worker() + " gpu Fake 3", {}}); // over a connection without errors
        ASSERT_TRUE(eventually(session, [&] { return session.snapshot()->gpu(); }));
        session.search_parameters(autotuned);
        ASSERT_TRUE(eventually(session, [&] {
            const app::SnapshotPtr now = session.snapshot();
            return now->ready() && now->columns.front().recording != nullptr && now->search() != nullptr &&
                   !now->search()->running;
        })) << "without kills the session completes its work";
        expect_right(*session.snapshot(), naive);
        EXPECT_TRUE(session.snapshot()->search()->whole) << session.snapshot()->search()->error;
        for (const auto& [why, times] : lost)
            ADD_FAILURE() << times << " times no recording: " << why;
        const long after = test::resident_of(getpid());
        EXPECT_LT(after - before, most_growth) << "KiB";
        std::printf(
            "%d kills, %d rounds, %d recordings, %d whole searches, memory %ld -> %ld KiB, slowest poll %.1f ms\n",
            kills, rounds, recorded, searched, before, after, slowest);
    }
    EXPECT_TRUE(test::happens([] { return test::descendants_of(getpid()).empty(); })) << "child processes are left";
}

} // namespace
