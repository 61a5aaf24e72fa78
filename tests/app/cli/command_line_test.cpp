// What the command line makes of odd arguments, and of output that cannot be written.
#include "app/cli/command.h"
#include "temporary_folder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
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

// Before anything is compiled or run: there are no such files.
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

// What a terminal would obey: ESC, CSI in one byte, and a character that turns the text round.
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
