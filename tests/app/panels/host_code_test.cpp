// Host code of files that the user opens. A kernel runs without a question, because it runs only in the PTX machine or
// on the GPU. A main function is native code and runs only if the user agrees.
#include "app/engine/run_file.h"
#include "app/workspace/state_file.h"

#include "own/copy.h"
#include "temporary_folder.h"
#include "tests/app/engine/machine_with.h"
#include "tests/app/session/followed.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace {

namespace fs = std::filesystem;

class HostCodeOfSources : public testing::Test {
protected:
    void SetUp() override { setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1); }
    void TearDown() override { session_.reset(); }

    static std::string text() { return kernels::copied_stage(test::stage("naive"), "mine"); }
    static fs::path write(const fs::path& file, const std::string& words)
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << words;
        return file;
    }
    void begin(const fs::path& file)
    {
        app::SessionOptions options{.first = "naive", .backend = "cpu", .file = file};
        options.worker.in_process = true;
        options.measures = false;
        options.own = folder_ / "own";
        session_ = std::make_unique<test::Session>(options);
        EXPECT_TRUE(test::happens([&] { return session_->poll(), session_->snapshot()->ready(); }));
    }
    const std::string& failed() const { return session_->snapshot()->details[0].failed; }

    kernels::TemporaryFolder folder_;
    std::unique_ptr<test::Session> session_;
};

TEST_F(HostCodeOfSources, RunsNowhere)
{
    const fs::path trace = folder_ / "trace";
    const std::string harmful = text() +
                                "\n#ifndef __CUDACC__\n#include <cstdio>\nstatic std::FILE* const left = "
                                "std::fopen(\"" +
                                trace.string() + "\", \"w\");\n#endif\n";
    begin(write(folder_ / "own/mine.cu", harmful));
    EXPECT_NE(failed(), "");
    EXPECT_FALSE(fs::exists(trace));
}

TEST_F(HostCodeOfSources, OfASavedStateIsNotNeededAndNothingComesIntoOnesOwnFolder)
{
    app::SavedState state;
    state.patch.columns[0].stage = "naive";
    state.patch.columns[0].file = write(folder_ / "own/mine.cu", text()); // the path on the author's machine
    const fs::path saved = folder_ / "x.gstate";
    app::write_state(state, saved);
    fs::remove(state.patch.columns[0].file);
    const app::SavedState read = app::read_state(saved, app::unpacked_folder());
    EXPECT_TRUE(app::is_unpacked(read.patch.columns[0].file));
    begin(read.patch.columns[0].file);
    if (test::says(failed(), "NVRTC"))
        GTEST_SKIP() << failed();
    EXPECT_EQ(failed(), "");
    EXPECT_NE(session_->snapshot()->columns.front().recording, nullptr);
    session_.reset();
    EXPECT_TRUE(fs::is_empty(folder_ / "own"));
}

// The user may edit the file before answering the question. The answer then holds for the edited text.
TEST_F(HostCodeOfSources, OfASavedStateIsAnsweredForAfterItWasEdited)
{
    const std::string main = "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n"
                             "int main() { int* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x); }\n";
    app::SavedState state;
    state.patch.columns[0].stage = "naive";
    state.patch.columns[0].file = write(folder_ / "its/program.cu", main);
    const fs::path saved = folder_ / "x.gstate";
    app::write_state(state, saved);
    fs::remove(state.patch.columns[0].file);
    begin(app::read_state(saved, app::unpacked_folder()).patch.columns[0].file);
    ASSERT_EQ(session_->snapshot()->main.answer, app::MainAnswer::open);
    session_->write_source(main + "// edited\n");
    session_->refuse_main();
    EXPECT_EQ(session_->snapshot()->main.answer, app::MainAnswer::no);
}

} // namespace
