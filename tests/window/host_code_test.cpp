// A saved state that brings a stage along: its host code runs after a yes alone, in the window and on the command line.
#include "app/workspace/state_file.h"
#include "own/copy.h"
#include "own/own_stage.h"
#include "program.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

namespace fs = std::filesystem;
using test::Program;
using State = Program::State;

class HostCode : public testing::Test {
protected:
    void SetUp() override
    {
        if (kernels::system_compiler().empty())
            GTEST_SKIP() << "no C++ compiler";
    }

    // A stage whose static constructor makes a file, in a state; what it was packed from is gone.
    fs::path state(const std::string& comment = "") const
    {
        const std::vector<kernels::Stage> ladder = kernels::make_ladder();
        app::SavedState saved;
        saved.patch.columns[0].stage = "naive";
        saved.patch.view = "global";
        saved.patch.columns[0].file = folder_ / "mine.cu";
        std::ofstream(saved.patch.columns[0].file)
            << kernels::copied_stage(kernels::find_stage(ladder, "naive"), "mine")
            << "\n#ifndef __CUDACC__\n#include <cstdio>\n"
            << "static std::FILE* const left = std::fopen(\"" << trace_.string() << "\", \"w\");\n#endif\n"
            << comment;
        const fs::path file = folder_ / "shared.gstate";
        app::write_state(saved, file);
        fs::remove(saved.patch.columns[0].file);
        return file;
    }
    // Whether host code has run since it was asked last.
    bool ran() const { return fs::remove(trace_); }
    Program::Environment environment() const
    {
        return {{"XDG_DATA_HOME", folder_ / "data"}, {"XDG_CACHE_HOME", folder_ / "cache"}};
    }
    test::Ran run(std::vector<std::string> words) const
    {
        words.insert(words.end(), {"--backend", "cpu"});
        return test::run_to_end(words, environment());
    }
    static bool asks(const State& shown, const std::string& file) { return shown.at("asks") == file; }

    kernels::TemporaryFolder folder_;
    const fs::path trace_ = folder_ / "trace", picture_ = folder_ / "picture.png";
    test::Display display_{{1600, 1000}};
};

TEST_F(HostCode, OfAStateIsNotRunByPicturesOfIt)
{
    const std::string file = state().string();
    for (const char* command : {"screenshot", "export"}) {
        const std::vector<std::string> words = {command, "--file", file, "-o", picture_.string()};
        const test::Ran refused = run(words);
        EXPECT_FALSE(ran()) << command;
        EXPECT_NE(refused.said.find("--run-host"), std::string::npos) << refused.said;
    }
    const test::Ran allowed = run({"screenshot", "--file", file, "-o", picture_.string(), "--run-host"});
    EXPECT_EQ(allowed.status, 0) << allowed.said;
    EXPECT_TRUE(ran());
    EXPECT_EQ(run({"export", "--file", file, "-o", picture_.string()}).status, 0) << "what was allowed stays so";
    EXPECT_TRUE(ran());
    state("// changed\n");
    EXPECT_NE(run({"export", "--file", file, "-o", picture_.string()}).status, 0);
    EXPECT_FALSE(ran());
    EXPECT_EQ(run({"export", "--file", file, "-o", picture_.string(), "--run-host"}).status, 0);
    EXPECT_TRUE(ran());
}

TEST_F(HostCode, OfAStateRunsInTheWindowAfterAYes)
{
    const std::vector<std::string> words = {"open", state().string(), "--backend", "cpu"};
    {
        Program program(display_, words, environment());
        EXPECT_TRUE(asks(program.state(), "mine.cu"));
        EXPECT_TRUE(program.state().at("widgets").contains("editor")) << "the source is there to be read";
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        EXPECT_FALSE(ran());
        program.press("Right");
        program.wait_settled();
        EXPECT_TRUE(asks(program.state(), "mine.cu")) << "it holds up nothing and waits";
        program.click("host code:kernel");
        program.wait_for("one button", [](const State& shown) {
            return !shown.at("widgets").contains("host code:kernel") && shown.at("widgets").contains("host code:run");
        });
        EXPECT_FALSE(ran());
        program.click("host code:run");
        program.wait_for("what it did", [](const State& shown) {
            return asks(shown, "") && shown.at("settled").get<bool>() && shown.at("steps").get<int>() > 0;
        });
        EXPECT_TRUE(ran());
    }
    {
        Program program(display_, words, environment());
        EXPECT_TRUE(asks(program.state(), ""));
        EXPECT_GT(program.state().at("steps").get<int>(), 0);
        EXPECT_TRUE(ran());
    }
    state("// changed\n");
    Program program(display_, words, environment());
    EXPECT_TRUE(asks(program.state(), "mine.cu"));
    EXPECT_FALSE(ran());
    program.press("Y"); // by the keyboard
    program.wait_for("what it did", [](const State& shown) {
        return asks(shown, "") && shown.at("settled").get<bool>() && shown.at("steps").get<int>() > 0;
    });
    EXPECT_TRUE(ran());
}

} // namespace
