// The window while its worker is killed, and while the user chooses another one.
#include "program.h"
#include "tests/paths.h"
#include "tests/waiting.h"
#include "tests/worker/descendants.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

namespace {

using namespace test;

class WorkerInWindow : public testing::Test {
protected:
    Display display{{2200, 1500}};
    // Measurements are on, so that there is always a task to lose.
    const Program::Environment measuring{{"GEMMSCOPE_NO_MEASURING", ""}};
};

// A list is in its final position when it was drawn twice.
void wait_for_list(Program& program, const std::string& widget)
{
    program.wait_for("the list", shown(widget));
    program.point_at(program.middle(widget));
    program.wait_for("the list where it stays", shown(widget));
}

TEST_F(WorkerInWindow, KilledAgainAndAgainItCostsNothingThatIsShown)
{
    Program program(display, {"--stage", "vectorized", "--backend", "cpu"}, measuring);
    std::string stage = "vectorized";
    for (int round = 0; round < 10; ++round) {
        for (const pid_t worker : test::children_of(program.process()))
            kill(worker, SIGKILL);
        program.press("Down");
        const auto& now = program.wait_settled("the next stage", is_not("stage", stage));
        EXPECT_EQ(now.at("status"), "") << "it has a recording";
        stage = now.at("stage");
    }
    program.press("q", true);
    EXPECT_EQ(program.exit_status(), 0) << program.messages();
}

TEST_F(WorkerInWindow, AnotherOneIsChosenInItsList)
{
    Program program(display, {"--stage", "naive", "--backend", "cpu"});
    program.click("workers");
    wait_for_list(program, "worker field:name"); // has the keyboard focus
    for (const char* key : {"h", "e", "r", "e"})
        program.press(key);
    program.click("worker field:command");
    for (const char* key : {"f", "a", "l", "s", "e", "Return"})
        program.press(key);
    program.wait_for("its failure", mentions("status", "'false' does not work"));
    program.click("workers");
    wait_for_list(program, "worker:here");
    program.click("worker:");
    program.wait_settled("a recording again", is("status", ""));
}

TEST_F(WorkerInWindow, TheSecondGpuOfAMachineIsChosen)
{
    const std::string worker = test::scripted_worker() + " gpu Fake 3",
                      second = "worker:GPU 1: Fake b \xc2\xb7 " + worker;
    Program program(display, {"--stage", "naive", "--worker", worker});
    program.click("workers");
    wait_for_list(program, second);
    program.click(second);
    program.wait_for("its name", mentions("device", "Fake b"));
    program.press("q", true);
    EXPECT_EQ(program.exit_status(), 0) << program.messages();
}

// GEMMSCOPE_KILLS is the number of kills. By default it is small enough for every run of the tests.
TEST_F(WorkerInWindow, PlaysOnInTimeWhileItsWorkersAreKilledAndGarbled)
{
    const char* asked = std::getenv("GEMMSCOPE_KILLS");
    const int wanted = asked != nullptr ? std::atoi(asked) : 6;
    Program program(display,
                    {"--stage", "vectorized", "--worker", test::scripted_worker() + " pipe 0 400000 60000 gpu Fake 3"},
                    measuring);
    const long before = test::resident_of(program.process());
    std::mt19937 random(5);
    int kills = 0;
    EXPECT_TRUE(test::happens([&] {
        const std::vector<pid_t> all = test::descendants_of(program.process());
        if (!all.empty() && kill(all[random() % all.size()], SIGKILL) == 0)
            ++kills;
        constexpr std::array<const char*, 4> keys = {"r", "Down", "Up", "S"};
        program.press(keys[random() % keys.size()]);
        if (!program.wait_for("its state", [](const auto&) { return true; }).at("playing").get<bool>())
            program.press("space");
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
        return kills >= wanted;
    }));
    program.press("Escape");
    program.press("Escape");
    program.press("r");
    const Program::State now = program.wait_settled("a recording", is("status", ""));
    const long after = test::resident_of(program.process());
    std::printf("%d kills, %d frames, slowest frame %.1f ms, of the window's own time %.1f ms, memory %ld -> %ld KiB\n",
                kills, now.at("frame").get<int>(), now.at("latest_ms").get<double>(),
                now.at("latest_cpu_ms").get<double>(), before, after);
    EXPECT_LT(after - before, 128 * 1024) << "KiB";
    program.press("q", true);
    EXPECT_EQ(program.exit_status(), 0) << program.messages();
}

} // namespace
