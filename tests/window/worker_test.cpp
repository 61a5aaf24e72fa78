// The window while its worker is killed, and while another one is chosen.
#include "program.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

namespace {

using test::Program;

// The program's child processes.
std::vector<pid_t> workers_of(pid_t process)
{
    std::vector<pid_t> children;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
        std::ifstream list(task.path() / "children");
        for (pid_t child = 0; list >> child;)
            children.push_back(child);
    }
    return children;
}

class WorkerInWindow : public testing::Test {
protected:
    test::Display display{{2200, 1500}};
};

// A list has its place once it has been drawn twice.
void wait_for_list(Program& program, const std::string& widget)
{
    const auto listed = [&](const Program::State& state) { return state.at("widgets").contains(widget); };
    program.wait_for("the list", listed);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    program.wait_for("the list where it stays", listed);
}

TEST_F(WorkerInWindow, KilledAgainAndAgainItCostsNothingThatIsShown)
{
    Program program(display, {"--stage", "vectorized", "--backend", "cpu"});
    std::string stage = "vectorized";
    for (int round = 0; round < 10; ++round) {
        for (const pid_t worker : workers_of(program.process()))
            kill(worker, SIGKILL);
        program.press("Down");
        const auto& now = program.wait_for("the next stage", [&](const Program::State& state) {
            return state.at("settled").get<bool>() && state.at("stage") != stage;
        });
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
    wait_for_list(program, "worker field:name"); // which has the keyboard
    for (const char* key : {"h", "e", "r", "e"})
        program.press(key);
    program.click("worker field:command");
    for (const char* key : {"f", "a", "l", "s", "e", "Return"})
        program.press(key);
    program.wait_for("its failure", [](const Program::State& state) {
        return state.at("status").get<std::string>().find("'false' does not work") != std::string::npos;
    });
    program.click("workers");
    wait_for_list(program, "worker:here");
    program.click("worker:");
    program.wait_for("a recording again", [](const Program::State& state) {
        return state.at("settled").get<bool>() && state.at("status") == "";
    });
}

} // namespace
