// The text below the ladder, which states the figures of the ladder's stages.
#include "app/panels/ladder_messages.h"
#include "tests/app/said.h"
#include "tests/says.h"

#include "viz/text/rich.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using test::says;

bool has_digits(const viz::Rich& words)
{
    return std::ranges::any_of(viz::plain(words), [](char c) { return c >= '0' && c <= '9'; });
}

recording::Problem cube(uint32_t side)
{
    return {.M = side, .N = side, .K = side};
}

TEST(LadderMessages, SayTheStagesMedianAndQuartiles)
{
    const app::TimedStage stage{
        "vectorized", {}, {.median_ms = 4, .low_ms = 3.98, .high_ms = 4.06, .samples = 25}, 0.702};
    const auto words = app::how_it_is_timed(stage);
    ASSERT_EQ(words.size(), 5u);
    for (const char* figure : {"vectorized ran 25 times (measured here)", "less than 4 ms", "-0.50% and +1.50%"})
        EXPECT_TRUE(says(viz::plain(words[0]), figure));
    EXPECT_TRUE(says(viz::plain(words[3]), "70.2% of vectorized"));
    const auto unknown = app::how_it_is_timed(std::nullopt);
    EXPECT_EQ(unknown.size(), 5u);
    for (const auto paragraph : {0, 3})
        EXPECT_FALSE(has_digits(unknown[paragraph])) << "figures that were not measured are not shown";
}

TEST(LadderMessages, SayWhereTheLibraryLeads)
{
    const std::vector<app::ShareOfCublas> shares = {{"fastest", "fp32", cube(4096), 1.006},
                                                    {"warp_tile", "fp32", cube(4096), 0.79},
                                                    {"warp_tile", "fp32", cube(512), 0.6},
                                                    {"fastest", "fp32", cube(512), 0.54},
                                                    {"wgmma_tma", "bf16", cube(4096), 0.993}};
    const auto words = app::where_cublas_leads(shares);
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(viz::plain(words[0]),
              "bf16: at 4096³ wgmma_tma reaches 99.3% of cuBLAS, which is faster at 0 of 1 size.");
    EXPECT_EQ(viz::plain(words[1]),
              "fp32: at 512³ warp_tile reaches 60.0% and at 4096³ fastest reaches 100.6% of cuBLAS, "
              "which is faster at 1 of 2 sizes.");
    EXPECT_FALSE(has_digits(words[2]));
    EXPECT_TRUE(app::where_cublas_leads({}).empty());
}

TEST(LadderMessages, NameWhatTheLibraryLaunches)
{
    const recording::LaunchedKernel gemm{.name = "ampere_sgemm_32x128_nn", .launch = {{8, 4, 5}, {256, 1, 1}}},
        reduce{.name = "void cublasLt::splitKreduce_kernel<32>(int)", .launch = {{64, 1, 1}, {128, 1, 1}}};
    viz::LibraryKernels library{.device = "NVIDIA H200"};
    library.rows = {{"cublas_sgemm", "fp32", {cube(512), {gemm, reduce}, {}}},
                    {"cublas_sgemm", "fp32", {cube(4096), {gemm}, {}}},
                    {"cublas_fp16", "fp16", {cube(4096), {gemm}, {}}}};
    const auto words = app::what_cublas_launches(library, "fp32");
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(viz::plain(words[0]),
              "For fp32 it launched 2 different kernels at 2 sizes and shapes, traced on NVIDIA H200:");
    EXPECT_EQ(viz::plain(words[1]),
              "512³: ampere_sgemm_32x128_nn, 160 blocks of 256 threads. splitKreduce_kernel, 64 blocks "
              "of 128 threads.");
    library.rows.clear();
    library.missing = {{recording::Missing::failed, {"CUPTI is not installed."}}};
    const auto missing = app::what_cublas_launches(library, "fp32");
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_TRUE(says(viz::plain(missing[0]), "CUPTI is not installed."));
    EXPECT_FALSE(has_digits(missing[0]));
}

} // namespace
