#include "app/tasks/launch_file.h"

#include <gtest/gtest.h>

namespace {

TEST(LaunchFile, AProgramOfItsOwnGetsTheWholeRequest)
{
    traced::Request request{.file = "/folder/kernel.cu",
                            .kernel = "sgemm<64,8>",
                            .grid = "N/64,M/64",
                            .block = "256",
                            .cluster = "2",
                            .arguments = {"M", "N", "A"},
                            .size = "256x128x64",
                            .alpha = 0.5f,
                            .beta = {},
                            .buffers = {"in=4*N:iota", "out=4*N"},
                            .shared = "1024",
                            .include_folders = {"/include"},
                            .defines = {"TILE=16", "FAST"},
                            .check = "gemm",
                            .most_steps = {},
                            .blocks = {}};
    EXPECT_EQ(app::words_of(request), (std::vector<std::string>{"/folder/kernel.cu",
                                                                "--kernel",
                                                                "sgemm<64,8>",
                                                                "--grid",
                                                                "N/64,M/64",
                                                                "--block",
                                                                "256",
                                                                "--cluster",
                                                                "2",
                                                                "--args",
                                                                "M,N,A",
                                                                "--size",
                                                                "256x128x64",
                                                                "--alpha",
                                                                "0.5",
                                                                "--buffer",
                                                                "in=4*N:iota",
                                                                "--buffer",
                                                                "out=4*N",
                                                                "--shared",
                                                                "1024",
                                                                "-I",
                                                                "/include",
                                                                "-D",
                                                                "TILE=16",
                                                                "-D",
                                                                "FAST",
                                                                "--check",
                                                                "gemm"}));
    request = {.file = "/folder/kernel.cu"};
    EXPECT_EQ(app::words_of(request), std::vector<std::string>{"/folder/kernel.cu"});
}

} // namespace
