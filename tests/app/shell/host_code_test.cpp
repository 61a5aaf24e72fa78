// Host code of a file runs after a yes alone, whatever way the file took into the program.
#include "app/tasks/host_code.h"
#include "app/workspace/state_file.h"

#include "own/copy.h"
#include "own/own_stage.h"
#include "temporary_folder.h"
#include "tests/app/session/followed.h"
#include "tests/app/tasks/machine_with.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

namespace {

namespace fs = std::filesystem;
using kernels::HostCode;

class HostCodeTest : public testing::Test {
protected:
    void SetUp() override
    {
        static const kernels::TemporaryFolder headers; // are compiled once for all tests
        setenv("XDG_CACHE_HOME", headers.path().c_str(), 1);
        setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
        if (kernels::system_compiler().empty())
            GTEST_SKIP() << "no C++ compiler";
    }
    void TearDown() override { session_.reset(); }

    // A stage that leaves a file behind as soon as its library is loaded.
    std::string text(const std::string& comment = "") const
    {
        return kernels::copied_stage(test::stage("naive"), "mine") +
               "\n#ifndef __CUDACC__\n#include <cstdio>\nstatic std::FILE* const left = std::fopen(\"" +
               trace_.string() + "\", \"w\");\n#endif\n" + comment;
    }
    fs::path write(const fs::path& file, const std::string& words) const
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << words;
        return file;
    }
    // Whether host code has run since it was asked last.
    bool ran() const { return fs::remove(trace_); }

    void begin(const fs::path& file, const std::vector<fs::path>& allowed = {})
    {
        session_.reset();
        app::SessionOptions options{.first = "naive", .backend = "cpu", .file = file};
        options.run_host_code_of = allowed;
        options.worker.in_process = true;
        options.measures = false;
        options.own = folder_ / "own";
        session_ = std::make_unique<test::Session>(options);
        settle();
    }
    void settle()
    {
        EXPECT_TRUE(test::happens([&] { return session_->poll(), session_->snapshot()->settled(); }));
    }
    bool asks() const { return session_->snapshot()->question.has_value(); }
    bool shows() const { return session_->snapshot()->columns.front().recording != nullptr; }

    kernels::TemporaryFolder folder_;
    fs::path trace_ = folder_ / "trace";
    std::unique_ptr<test::Session> session_;
};

TEST_F(HostCodeTest, IsNeitherCompiledNorLoadedWhereItIsRefused)
{
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    EXPECT_NE(test::refusal([&] { kernels::load_own_stage("mine", text(), HostCode::refused); }), "");
    EXPECT_FALSE(ran());
    EXPECT_FALSE(fs::exists(folder_ / "cache/gemmscope/own")) << "nothing was compiled";
    kernels::load_own_stage("mine", text(), HostCode::allowed);
    EXPECT_TRUE(ran());
    EXPECT_NE(test::refusal([&] { kernels::load_own_stage("mine", text(), HostCode::refused); }), "")
        << "what another task was allowed is there, and is not taken";
    EXPECT_FALSE(ran());
}

// The name of a file stands in what is compiled, and an allowed text may come under any name.
TEST_F(HostCodeTest, ComesInByNoName)
{
    for (const char* name : {"mine(){}int x=0;//", "mine\"", "a-b", "a\nb", "", "2x"})
        for (const HostCode host_code : {HostCode::refused, HostCode::allowed})
            EXPECT_NE(test::refusal([&] { kernels::load_own_stage(name, text(), host_code); }), "") << name;
    EXPECT_FALSE(ran());
}

TEST_F(HostCodeTest, IsTheTasksToSay)
{
    const app::Machine machine = app::open_machine({}, {.backend = "cpu"});
    const app::TaskContext context{test::ladder(), machine};
    app::RunFileTask run{.file = folder_ / "mine.cu", .text = text()};
    app::StageJob job{.stage = "mine", .parameters = {}, .problem = {.M = 8, .N = 8, .K = 8}, .text = text()};
    EXPECT_NE(test::refusal([&] { app::run(run, context); }), "");
    EXPECT_NE(test::refusal([&] { app::run(app::VerifyTask{.job = job}, context); }), "");
    EXPECT_FALSE(ran());
    const auto yes = [](const fs::path&, const std::string&) { return true; };
    const auto no = [](const fs::path&, const std::string&) { return false; };
    EXPECT_NO_THROW(app::run(app::with_host_code(run, yes), context));
    EXPECT_TRUE(ran());
    const app::Task allowed = app::with_host_code(app::PrepareTask{.jobs = {job}}, yes);
    EXPECT_TRUE(std::get<app::PrepareTask>(allowed).jobs[0].host_code);
    run.host_code = true;
    EXPECT_FALSE(std::get<app::RunFileTask>(app::with_host_code(run, no)).host_code) << "whatever it said before";
}

TEST_F(HostCodeTest, RunsInASessionAfterAYesWhichIsRemembered)
{
    const fs::path file = write(folder_ / "from elsewhere/mine.cu", text());
    begin(file);
    EXPECT_TRUE(asks());
    EXPECT_TRUE(session_->snapshot()->question->unanswered);
    EXPECT_FALSE(shows());
    session_->run_only_kernel();
    settle();
    EXPECT_TRUE(asks()) << "it can be thought over";
    EXPECT_FALSE(session_->snapshot()->question->unanswered);
    EXPECT_FALSE(ran());
    session_->run_host_code();
    settle();
    EXPECT_TRUE(ran());
    EXPECT_TRUE(shows());
    EXPECT_FALSE(asks());
    begin(file);
    EXPECT_TRUE(shows()) << "the same text again";
    EXPECT_FALSE(asks());
    write(file, text("// changed\n"));
    ran();
    begin(file);
    EXPECT_TRUE(asks());
    EXPECT_FALSE(ran());
}

TEST_F(HostCodeTest, OfASavedStateIsAskedAboutAndNothingComesIntoOnesOwnFolder)
{
    app::SavedState state;
    state.patch.columns[0].stage = "naive";
    state.patch.columns[0].file =
        write(folder_ / "own/mine.cu", text()); // where its author had it, and the reader has none
    const fs::path saved = folder_ / "x.gstate";
    app::write_state(state, saved);
    fs::remove(state.patch.columns[0].file);
    const app::SavedState read = app::read_state(saved, app::unpacked_folder());
    EXPECT_TRUE(app::is_unpacked(read.patch.columns[0].file));
    begin(read.patch.columns[0].file);
    EXPECT_TRUE(asks());
    EXPECT_TRUE(session_->snapshot()->question->unpacked);
    EXPECT_FALSE(ran());
    begin(read.patch.columns[0].file, {read.patch.columns[0].file}); // --run-host
    EXPECT_TRUE(ran());
    EXPECT_FALSE(asks());
    EXPECT_TRUE(shows());
    session_.reset();
    EXPECT_TRUE(fs::is_empty(folder_ / "own"));
}

TEST_F(HostCodeTest, OfOnesOwnFolderRunsWithoutAQuestion)
{
    begin(write(folder_ / "own/mine.cu", text()));
    EXPECT_FALSE(asks());
    EXPECT_TRUE(ran());
    // Not by the look of a path.
    begin(folder_ / "own/../other/mine.cu");
    write(folder_ / "other/mine.cu", text());
    begin(folder_ / "own/../other/mine.cu");
    EXPECT_TRUE(asks());
    EXPECT_FALSE(ran());
}

TEST_F(HostCodeTest, ThatIsTypedIntoAnAllowedTextIsTheTypistsOwn)
{
    const fs::path file = write(folder_ / "from elsewhere/mine.cu", text());
    begin(file);
    session_->write_source(text("// typed before the yes\n"));
    settle();
    EXPECT_TRUE(asks());
    EXPECT_FALSE(ran());
    session_->run_host_code();
    settle();
    EXPECT_TRUE(ran());
    session_->write_source(text("// typed after it\nstatic const int more = 1;\n"));
    settle();
    EXPECT_FALSE(asks());
    EXPECT_TRUE(ran());
}

// A copy of a rung in which a kernel's body was changed needs no description of its own.
TEST_F(HostCodeTest, IsNotNeededForAKernelAlone)
{
    std::string copy = kernels::copied_stage(test::stage("naive"), "mine");
    const std::string from = "float sum = 0;";
    ASSERT_TRUE(test::says(copy, from));
    copy.replace(copy.find(from), from.size(), "float sum = 0; sum += 0;");
    begin(write(folder_ / "from elsewhere/mine.cu", copy));
    EXPECT_TRUE(asks());
    if (test::says(session_->snapshot()->details[0].failed, "NVRTC"))
        GTEST_SKIP() << session_->snapshot()->details[0].failed;
    ASSERT_TRUE(shows());
    EXPECT_TRUE(test::says(session_->snapshot()->details[0].run->how, "PTX"));
    session_->run_host_code();
    settle();
    ASSERT_TRUE(shows());
    EXPECT_FALSE(test::says(session_->snapshot()->details[0].run->how, "PTX"));
}

} // namespace
