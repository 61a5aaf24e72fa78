// The words below the ladder, in its own numbers.
#include "app/panels/ladder/measuring_words.h"

#include <gtest/gtest.h>

namespace {

recording::Problem cube(uint32_t side)
{
    return {.M = side, .N = side, .K = side};
}

TEST(MeasuringWords, SayTheStagesMedianAndQuartiles)
{
    const app::TimedStage stage{
        "vectorized", "measured here", {.median_ms = 4, .low_ms = 3.98, .high_ms = 4.06, .samples = 25}, 0.702};
    const auto words = app::how_it_is_timed(stage);
    ASSERT_EQ(words.size(), 5u);
    EXPECT_NE(
        words[0].find("vectorized ran 25 times (measured here): half of the runs took less than 4 ms, and half of them "
                      "lie between -0.50% and +1.50% of that."),
        std::string::npos)
        << words[0];
    EXPECT_NE(words[3].find("So 70.2% of vectorized"), std::string::npos) << words[3];
    const auto unknown = app::how_it_is_timed(std::nullopt);
    EXPECT_EQ(unknown.size(), 5u);
    EXPECT_EQ(unknown[0].find("ran"), std::string::npos) << "no figure that nobody measured: " << unknown[0];
}

TEST(MeasuringWords, SayWhereTheLibraryLeads)
{
    const std::vector<app::ShareOfCublas> shares = {{"fastest", "fp32", cube(4096), 1.006},
                                                    {"warp_tile", "fp32", cube(4096), 0.79},
                                                    {"warp_tile", "fp32", cube(512), 0.6},
                                                    {"fastest", "fp32", cube(512), 0.54},
                                                    {"wgmma_tma", "bf16", cube(4096), 0.993}};
    const auto words = app::where_cublas_leads(shares);
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(words[0], "bf16: at 4096³ wgmma_tma reaches 99% of cuBLAS, which is ahead nowhere.");
    EXPECT_EQ(words[1],
              "fp32: at 512³ warp_tile reaches 60%, at 4096³ fastest reaches 101% of cuBLAS, which is ahead at 1 "
              "of 2 sizes.");
    EXPECT_TRUE(app::where_cublas_leads({}).empty());
}

TEST(MeasuringWords, NameWhatTheLibraryLaunches)
{
    const recording::LaunchedKernel gemm{.name = "ampere_sgemm_32x128_nn", .launch = {{8, 4, 5}, {256, 1, 1}}},
        reduce{.name = "void cublasLt::splitKreduce_kernel<32>(int)", .launch = {{64, 1, 1}, {128, 1, 1}}};
    viz::LibraryKernels library{.device = "NVIDIA H200"};
    library.rows = {{"cublas_sgemm", "fp32", {cube(512), {gemm, reduce}, "traced"}},
                    {"cublas_sgemm", "fp32", {cube(4096), {gemm}, "traced"}},
                    {"cublas_fp16", "fp16", {cube(4096), {gemm}, "traced"}}};
    const auto words = app::what_cublas_launches(library, "fp32");
    ASSERT_EQ(words.size(), 3u);
    EXPECT_EQ(words[0], "For fp32 it launched 2 different kernels at 2 sizes and shapes, traced on NVIDIA H200:");
    EXPECT_EQ(words[1], "512³: ampere_sgemm_32x128_nn, 160 blocks of 256 threads; then splitKreduce_kernel, 64 blocks "
                        "of 128 threads.");
    library.rows.clear();
    library.missing = "CUPTI is not installed.";
    const auto missing = app::what_cublas_launches(library, "fp32");
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_NE(missing[0].find("CUPTI is not installed."), std::string::npos);
}

} // namespace
