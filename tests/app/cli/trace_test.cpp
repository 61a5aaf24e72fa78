// The command line of 'gemmscope launch', which a task writes and the program reads, and how files are shown that the
// user opens.
#include "app/cli/trace.h"
#include "app/engine/launch_file.h"
#include "app/engine/run_file.h"

#include "recording/recording.h"
#include "tests/paths.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

traced::Request read_back(const traced::Request& request)
{
    app::TraceOptions options;
    std::string file;
    CLI::App command;
    app::OptionList option(command);
    option("file", file, "");
    option("--kernel", options.request.kernel, "");
    app::request_options(option, options);
    std::vector<std::string> words = app::words_of(request);
    std::ranges::reverse(words); // CLI11 expects the reverse order
    command.parse(words);
    return app::task_of(options, file).request;
}

TEST(LaunchFile, AProgramOfItsOwnGetsTheWholeRequest)
{
    traced::Request request{.file = "/folder/kernel.cu",
                            .kernel = "sgemm<64,8>",
                            .grid = "N/64,M/64",
                            .block = "256",
                            .cluster = "2",
                            .arguments = {"M", "{N, 3}", "map(A:half,64,64,128)", "B", "C"},
                            .size = "256x128x64",
                            .alpha = -0.5f,
                            .beta = 2.0f,
                            .buffers = {"in=4*N:iota", "out=4*N"},
                            .shared = "1024",
                            .include_folders = {"/include", "/a folder"},
                            .defines = {"TILE=16", "FAST"},
                            .check = "gemm",
                            .most_steps = {}, // only for the PTX machine
                            .blocks = {}};    // only for the tracer
    EXPECT_EQ(read_back(request), request);
    request = {.file = "/folder/kernel.cu"};
    EXPECT_EQ(read_back(request), request);
    EXPECT_EQ(app::words_of(request), std::vector<std::string>{"/folder/kernel.cu"});
}

TEST(RunFile, IsAsExecutedUnlessAskedOtherwise)
{
    const std::vector<kernels::Stage> ladder;
    const app::Machine machine;
    app::RunFileTask task{.file = test::data("cuda/sgemm_vectorized.cu")};
    app::RunFileResult executed;
    SKIP_WHERE_UNAVAILABLE(executed = task.run({ladder, machine}));
    EXPECT_TRUE(recording::is_as_executed(*executed.recorded.recording));
    EXPECT_EQ(executed.recorded.recording->totals().shared_load.instructions, 4096u);
    EXPECT_EQ(executed.how, "machine code, without a GPU");
    task.as_written = true;
    const app::RunFileResult written = task.run({ladder, machine});
    EXPECT_FALSE(recording::is_as_executed(*written.recorded.recording));
    EXPECT_EQ(written.recorded.recording->totals().shared_load.instructions, 16384u);
    EXPECT_EQ(written.how, "PTX, executed without a GPU");
}

} // namespace
