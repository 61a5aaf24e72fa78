// The exit status of `gemmscope bench`.
#include "app/cli/command.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

namespace {

using test::says;

int status_of(const char* slug, std::string& printed)
{
    const char* const words[] = {"gemmscope", "bench",  slug,           "--size",    "8",   "--backend",
                                 "cpu",       "--json", "--in-process", "--seconds", "0.01"};
    testing::internal::CaptureStdout();
    const int status = app::run_command_line(std::size(words), words);
    printed = testing::internal::GetCapturedStdout();
    return status;
}

TEST(BenchStatus, WhatWasNamedMustBeThere)
{
    std::string printed;
    EXPECT_EQ(status_of("cpu_loop", printed), 0);
    EXPECT_TRUE(says(printed, "\"ok\": true"));
    EXPECT_EQ(status_of("cublas_sgemm", printed), 1) << "a named library that the CPU does not have is a failure";
    EXPECT_TRUE(says(printed, "\"missing\": \""));
}

} // namespace
