// A library's kernels beside those of the ladder, and equal work in other shapes. Computed by hand.
#include "viz/analysis/launches.h"
#include "viz/analysis/shapes.h"

#include <gtest/gtest.h>

namespace {

using viz::TileOfName;

TEST(Launches, TilesAreReadFromNamesAsNvidiaWritesThem)
{
    EXPECT_EQ(viz::tile_in("void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>("
                           "cutlass_80_simt_sgemm_256x128_8x4_nn_align1::Params)"),
              (TileOfName{256, 128, 8, 4}));
    EXPECT_EQ(viz::tile_in("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4_"
                           "alignc4_execute_kernel__5x_cublas"),
              (TileOfName{128, 64, 8, 3}));
    EXPECT_EQ(viz::tile_in("nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NNN"), (TileOfName{256, 128, 64, 4}));
    EXPECT_EQ(viz::tile_in("ampere_sgemm_32x128_nn"), (TileOfName{32, 128, {}, {}}));
    EXPECT_FALSE(viz::tile_in("void gemmSN_NN_kernel<float, 256, 4, 2, 8, 3>(cublasGemmSmallNParams)").has_value());
    EXPECT_EQ(viz::tile_in(std::vector<recording::Parameter>{{"BM", 128}, {"BN", 64}, {"BK", 16}, {"STAGES", 3}}),
              (TileOfName{128, 64, 16, 3}));
    EXPECT_EQ(viz::tile_in(std::vector<recording::Parameter>{{"tile", 32}}), (TileOfName{32, 32, 32, {}}));
    EXPECT_FALSE(viz::tile_in(std::vector<recording::Parameter>{{"block", 32}}).has_value());
}

TEST(Launches, NamesLoseTheirTypes)
{
    EXPECT_EQ(viz::short_name("void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>("
                              "cutlass_80_simt_sgemm_256x128_8x4_nn_align1::Params)"),
              "cutlass_80_simt_sgemm_256x128_8x4_nn_align1");
    EXPECT_EQ(viz::short_name("void cublasLt::splitKreduce_kernel<32, 16, int, float>(cublasSplitKParams<float>)"),
              "splitKreduce_kernel");
    EXPECT_EQ(viz::short_name("split_k"), "split_k");
    EXPECT_TRUE(viz::reduces("void cublasLt::splitKreduce_kernel<32, 16, int, float>()"));
    EXPECT_TRUE(viz::reduces("sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize64x128x32_warpgroupsize1x1x1_"
                             "execute_split_k_kernel__5x_cublas"));
    EXPECT_FALSE(viz::reduces("sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize64x128x32_warpgroupsize1x1x1_"
                              "execute_segment_k_on_kernel__5x_cublas"));
    EXPECT_FALSE(viz::reduces("nvjet_sm90_tss_128x64_64x8_1x2_h_bz_splitK_NNT"));
    EXPECT_FALSE(viz::reduces("ampere_sgemm_32x128_nn"));
}

TEST(Launches, LongNamesAreReadAsQuickly)
{
    const std::string digits(1'000'000, '1'); // would overflow the stack of a search that recurses per character
    EXPECT_FALSE(viz::tile_in("sgemm_" + digits + "x128_nn").has_value());
    EXPECT_EQ(viz::short_name("k_" + digits), "k_" + digits);
}

TEST(Launches, FillTheGpuInWaves)
{
    // sm_90: 128 registers for each of 256 threads are half of 65,536, so 2 blocks fit. 132 SMs hold 264.
    const recording::LaunchedKernel kernel{.name = "k",
                                           .launch = {{32, 16, 1}, {256, 1, 1}},
                                           .resources = {.registers_per_thread = 128, .shared_bytes_per_block = 32768}};
    const auto fill = viz::fill_of(kernel, 90, 132);
    ASSERT_TRUE(fill.has_value());
    EXPECT_EQ(fill->blocks, 512u);
    EXPECT_EQ(fill->per_sm, 2u);
    EXPECT_DOUBLE_EQ(fill->waves, 512.0 / 264);
    EXPECT_FALSE(viz::fill_of(kernel, 12, 132).has_value()) << "no such GPU";
    recording::LaunchedKernel unknown = kernel;
    unknown.resources.registers_per_thread = 0;
    EXPECT_FALSE(viz::fill_of(unknown, 90, 132).has_value()) << "an unknown register count is not zero";
}

viz::ShapeSeries series(const char* slug, std::vector<recording::Parameter> parameters, double tall, double flat)
{
    const recording::Problem narrow{.M = 256, .N = 256, .K = 4096}, wide{.M = 1024, .N = 1024, .K = 256};
    return {.slug = slug, .parameters = std::move(parameters), .speeds = {{narrow, tall, 4}, {wide, flat, 64}}};
}

TEST(Shapes, SplittingIsComparedWithItsRelative)
{
    viz::Shapes shapes{.series = {series("other", {{"BM", 64}}, 1, 1), series("whole", {{"BM", 128}}, 100, 900),
                                  series("cut", {{"BM", 128}, {"SPLIT", 4}}, 300, 800),
                                  series("cut", {{"BM", 128}, {"SPLIT", 2}}, 200, 850)}};
    const auto pair = viz::split_pair(shapes);
    ASSERT_TRUE(pair.has_value());
    EXPECT_EQ(pair->whole->slug, "whole");
    ASSERT_EQ(pair->split.size(), 2u);
    EXPECT_EQ(viz::slices(*pair->split[0]), 2u);
    const auto gains = viz::split_gains(*pair);
    ASSERT_EQ(gains.size(), 2u);
    EXPECT_EQ(gains[0].slices, 4u);
    EXPECT_DOUBLE_EQ(gains[0].gain(), 3);
    EXPECT_EQ(gains[1].slices, 2u) << "where splitting costs, fewer slices cost less";
    EXPECT_DOUBLE_EQ(gains[1].gain(), 850.0 / 900);

    shapes.series.erase(shapes.series.begin() + 1);
    EXPECT_FALSE(viz::split_pair(shapes).has_value()) << "a rung with another tile is no counterpart";
}

} // namespace
