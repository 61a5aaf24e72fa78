// Unusual arguments of the command line, and output that cannot be written.
#include "app/cli/command.h"
#include "recording/file.h"
#include "temporary_folder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using test::says;

int run(std::vector<const char*> arguments)
{
    arguments.insert(arguments.begin(), "gemmscope");
    return app::run_command_line(static_cast<int>(arguments.size()), arguments.data());
}

TEST(CommandLine, ScalesAreFiniteNumbers)
{
    const auto refused = [](std::vector<const char*> arguments) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(run(std::move(arguments)), 2);
        EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "no finite number"));
    };
    refused({"screenshot", "--scale", "nan", "-o", "/nowhere/picture.png"});
    for (const char* value : {"1e39", "inf", "nan"}) {
        refused({"verify", "naive", "--in-process", "--alpha", value});
        refused({"verify", "naive", "--in-process", "--beta", value});
    }
}

// Each kind of limit that a line of fields() may have.
TEST(CommandLine, OptionsHaveTheLimitsOfTheirFields)
{
    const auto refused = [](std::vector<const char*> arguments, const char* named) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(run(std::move(arguments)), 2) << named;
        EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), named));
    };
    refused({"bench", "cpu_loop", "--seconds", "0"}, "--seconds"); // between
    refused({"trace", "x.cu", "--launch", "0"}, "--launch");       // above_zero
    refused({"screenshot", "--step", "-1", "-o", "x.png"}, "--step");
    refused({"verify", "naive", "--backend", "opencl"}, "--backend"); // one_of
    refused({"verify", "naive", "--probe", "all"}, "--probe");        // of an enumeration
    refused({"record", "naive"}, "--output");                         // required
    refused({"record", "naive", "tiled", "-o", "x"}, "tiled");        // one stage
    refused({"counters", "--sort", "duration"}, "--table");           // needs
    refused({"bench", "--in-process", "--worker", "gemmscope worker"}, "--in-process");
}

// What follows "--" belongs to the traced program, even if it looks like an option. The file is read first.
TEST(CommandLine, WordsBehindDashesAreTheProgramsOwn)
{
    for (const std::vector<const char*>& arguments :
         {std::vector<const char*>{"trace", "/nowhere/k.cu", "--", "--64", "x"},
          {"trace", "--", "/nowhere/k.cu", "--64", "x"}}) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(run(arguments), 1) << "2 would be an unknown option";
        EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "/nowhere/k.cu"));
    }
    testing::internal::CaptureStderr();
    EXPECT_EQ(run({"trace"}), 1);
    EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "CUDA file"));
}

// The options are refused before anything is compiled or run: the files do not exist.
TEST(CommandLine, TraceRefusesWhatItWouldIgnore)
{
    const auto refused = [](const char* option, std::vector<const char*> arguments) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(run(std::move(arguments)), 1) << option;
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_TRUE(says(said, option));
        EXPECT_TRUE(says(said, "leave it out"));
    };
    refused("--steps", {"trace", "/nowhere/kernel.cu", "--backend", "cuda", "--steps", "5"});
    refused("--time-limit", {"trace", "/nowhere/kernel.cu", "--backend", "cuda", "--time-limit", "5"});
    refused("--in-process", {"trace", "/nowhere/kernel.cu", "--backend", "cuda", "--in-process"});
    refused("--backend", {"trace", "--backend", "cuda", "-o", "/nowhere/x.gscope", "--", "/nowhere/program"});
    refused("--grid", {"trace", "--grid", "4", "-o", "/nowhere/x.gscope", "--", "/nowhere/program"});
}

TEST(CommandLine, InfoPrintsValuesBeforeAndAfterTheLaunch)
{
    const kernels::TemporaryFolder folder;
    recording::Recording made;
    made.stage = "k";
    made.problem = {.M = 1, .N = 40, .K = 1};
    made.launch = {{2, 1, 1}, {32, 1, 1}};
    made.arrays = {{.name = "A"}, {.name = "B"}, {.name = "out", .rows = 1, .cols = 40, .bytes = 160}};
    std::vector<float> after(40, 0.1f);
    after[1] = std::numeric_limits<float>::quiet_NaN();
    recording::Values values{.array = 2, .type = "float", .before = std::vector<uint8_t>(160), .ran_again = true};
    values.after.resize(160);
    std::memcpy(values.after.data(), after.data(), 160);
    made.executed = recording::InstructionTrace{.kernel = "k", .language = "PTX", .values = {values}};
    made.executed->values[0].again = values.before;
    recording::write(made, folder / "k.gscope");
    const std::string file = (folder / "k.gscope").string();
    const auto printed = [&](const char* name, const char* form) {
        testing::internal::CaptureStdout();
        std::vector<const char*> words = {"info", file.c_str(), "--values", name};
        if (form != nullptr)
            words.push_back(form);
        EXPECT_EQ(run(words), 0);
        return testing::internal::GetCapturedStdout();
    };
    const std::string csv = printed("out", "--csv"), text = printed("out", nullptr);
    EXPECT_TRUE(says(csv, "out,float,1,40,40,40,1,0.1,0.1,40"));
    EXPECT_TRUE(says(csv, "\r\n0,1,0,nan,true,0\r\n"));
    EXPECT_TRUE(says(csv, "\r\n0,39,0,0.1,true,0\r\n"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), 2 + 1 + 41) << "CSV has all 40 values";
    EXPECT_TRUE(says(text, "The first and the last of 40 values"));
    EXPECT_LT(std::ranges::count(text, '\n'), 30);
    EXPECT_TRUE(says(printed("all", "--json"), "\"differ_in_second_run\": 40"));
    testing::internal::CaptureStderr();
    EXPECT_EQ(run({"info", file.c_str(), "--values", "in"}), 1);
    EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "keeps no values of 'in', but of out"));
}

// The cost of line 2's atomic operation in shared memory is not known, so that of all lines is not known either.
TEST(CommandLine, InfoHasTheCostOfAtomicOperationsOfEachLine)
{
    const kernels::TemporaryFolder folder;
    recording::Recording made;
    made.stage = "k";
    made.problem = {.M = 1, .N = 1, .K = 1};
    made.launch = {{1, 1, 1}, {32, 1, 1}};
    made.arrays = {{.name = "A"}, {.name = "B"}, {.name = "out", .rows = 1, .cols = 1, .bytes = 4}};
    made.sources = {{"k.cu", "first\nsecond\n"}};
    recording::Totals known, not_known;
    known.shared_atomic = {2, 64, 8};
    known.shared_atomic_cost = {2, 8, 6};
    not_known.shared_atomic = {1, 32, 32};
    not_known.global_atomic = {1, 32, 31};
    not_known.global_atomic_cost = {1, 30};
    made.lines = {{1, known}, {2, not_known}};
    recording::write(made, folder / "k.gscope");
    testing::internal::CaptureStdout();
    EXPECT_EQ(run({"info", (folder / "k.gscope").c_str(), "--csv"}), 0);
    const std::string csv = testing::internal::GetCapturedStdout(), none = ",0,0,0,0,0,0,0,0,";
    EXPECT_TRUE(says(csv, "\r\n1" + none + "2,8,6,0,0,first\r\n")) << csv;
    EXPECT_TRUE(says(csv, "\r\n2" + none + "1,,,1,30,second\r\n")) << csv;
    EXPECT_TRUE(says(csv, "\r\nall" + none + "3,,,1,30,")) << csv;
}

TEST(CommandLine, HelpThatCannotBeWrittenIsAFailure)
{
    testing::internal::CaptureStderr();
    std::fflush(stdout);
    const int kept = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    dup2(full, STDOUT_FILENO);
    const int status = run({"--help"});
    dup2(kept, STDOUT_FILENO);
    std::clearerr(stdout);
    close(full);
    close(kept);
    EXPECT_EQ(status, 1);
    EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "standard output"));
}

TEST(CommandLine, WhatCannotBeWrittenToStandardErrorEndsNothing)
{
    const int kept = dup(STDERR_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    dup2(full, STDERR_FILENO);
    const int status = run({"info", "/nonexist"});
    dup2(kept, STDERR_FILENO);
    close(full);
    close(kept);
    EXPECT_EQ(status, 1);
}

TEST(CommandLine, RecordSaysHowLongItTook)
{
    const kernels::TemporaryFolder folder;
    const std::string file = folder / "naive.gscope";
    testing::internal::CaptureStdout();
    EXPECT_EQ(run({"record", "naive", "--size", "32", "--backend", "cpu", "--in-process", "-o", file.c_str()}), 0);
    EXPECT_TRUE(says(testing::internal::GetCapturedStdout(), " ms, 1 of 1 blocks in full"));
}

// Control characters for terminals: ESC, the one-byte CSI, and a character that reverses the direction of text.
TEST(CommandLine, NamesDoNotReachTheTerminalAsCommands)
{
    const auto is_clean = [](const std::string& said) {
        return !says(said, "\x1b") && !says(said, "\x9b") && !says(said, "\u202e") && !says(said, "\a");
    };
    const kernels::TemporaryFolder folder;
    const std::string odd = "a\x1b[31m\x9b"
                            "31m\u202e\a.gscope",
                      written = folder.path() / odd, nowhere = "/nowhere/" + odd;
    const auto record = [](const std::string& to) {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        run({"record", "naive", "--size", "32", "--backend", "cpu", "--in-process", "-o", to.c_str()});
        const std::string said = testing::internal::GetCapturedStdout();
        return said + testing::internal::GetCapturedStderr();
    };
    const std::string said = record(written), refused = record(nowhere);
    EXPECT_TRUE(says(said, "a?[31m?31m??.gscope") && is_clean(said));
    EXPECT_TRUE(says(refused, "a?[31m?31m??.gscope") && is_clean(refused));
    testing::internal::CaptureStderr();
    EXPECT_EQ(run({"record", "naive", odd.c_str()}), 2);
    EXPECT_TRUE(is_clean(testing::internal::GetCapturedStderr()));
}

} // namespace
