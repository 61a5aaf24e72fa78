// The exit status of `gemmscope bench`.
#include "app/cli/commands.h"
#include "tests/says.h"

#include <gtest/gtest.h>

namespace {

using test::says;

int status_of(const char* slug, std::string& printed)
{
    app::JobOptions options;
    options.stages = {slug};
    options.sizes = {"8"};
    options.backend = "cpu";
    options.json = true;
    options.worker.in_process = true;
    testing::internal::CaptureStdout();
    const int status = app::bench_stages(options, {.seconds = 0.01});
    printed = testing::internal::GetCapturedStdout();
    return status;
}

TEST(BenchStatus, WhatWasNamedMustBeThere)
{
    std::string printed;
    EXPECT_EQ(status_of("cpu_loop", printed), 0);
    EXPECT_TRUE(says(printed, "\"ok\": true"));
    EXPECT_EQ(status_of("cublas_sgemm", printed), 1) << "the CPU has none";
    EXPECT_TRUE(says(printed, "\"missing\": \""));
}

} // namespace
