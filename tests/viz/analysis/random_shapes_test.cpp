// Random shapes: their means, and the stages whose shapes are shown.
#include "viz/analysis/shapes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace viz;

RandomShape shape(uint32_t N, uint32_t K, double of_cublas, std::optional<double> of_best = {})
{
    return {.problem = {.M = 100, .N = N, .K = K}, .of_cublas = of_cublas, .of_best = of_best, .parameters = {}};
}

TEST(RandomShapes, RowsAreMultiplesOf16BytesByType)
{
    EXPECT_TRUE(in_whole_rows({.M = 1, .N = 8, .K = 16}, "bf16"));
    EXPECT_FALSE(in_whole_rows({.M = 1, .N = 4, .K = 16}, "bf16"));
    EXPECT_TRUE(in_whole_rows({.M = 1, .N = 4, .K = 16}, "fp32"));
    EXPECT_TRUE(in_whole_rows({.M = 1, .N = 4, .K = 4}, "tf32"));
    EXPECT_FALSE(in_whole_rows({.M = 1, .N = 4, .K = 5}, "fp32"));
}

TEST(RandomShapes, TheMeanIsThatOfLogarithms)
{
    const RandomSeries series{.slug = "wgmma_tma",
                              .type = "bf16",
                              .shapes = {shape(64, 64, 0.5), shape(64, 65, 0.8, 0.5), shape(64, 72, 2, 0.5)}};
    EXPECT_NEAR(mean_share(series).of_cublas, std::cbrt(0.8), 1e-12);
    EXPECT_NEAR(mean_share(series).of_best, 0.5, 1e-12) << "over those that have it";
    EXPECT_EQ(mean_share(series, ShapeRows::whole).shapes, 2u);
    EXPECT_NEAR(mean_share(series, ShapeRows::whole).of_cublas, 1, 1e-12);
    EXPECT_NEAR(mean_share(series, ShapeRows::others).of_cublas, 0.8, 1e-12);
    EXPECT_EQ(geometric_mean({}), 0) << "there is none";
}

TEST(RandomShapes, AStageWithoutThemShowsTheTopOneOfItsType)
{
    const auto series = [](const char* slug, const char* type) {
        return RandomSeries{.slug = slug, .type = type, .shapes = {shape(64, 64, 1)}};
    };
    const RandomShapes shapes{
        .series = {series("warp_tile", "fp32"), series("fastest", "fp32"), series("wgmma_tma", "bf16")},
        .from = {},
        .missing = {}};
    EXPECT_EQ(series_for(shapes, "warp_tile", "fp32")->slug, "warp_tile");
    EXPECT_EQ(series_for(shapes, "naive", "fp32")->slug, "fastest");
    EXPECT_EQ(series_for(shapes, "mma_ldmatrix", "bf16")->slug, "wgmma_tma");
    EXPECT_EQ(series_for(shapes, "wmma", "tf32")->slug, "wgmma_tma") << "tensor cores, too";
    EXPECT_EQ(series_for(RandomShapes(), "naive", "fp32"), nullptr);
}

TEST(RandomShapes, AStageWithSeveralTypesShowsTheOneAskedFor)
{
    const auto series = [](const char* type) {
        return RandomSeries{.slug = "wgmma_tma", .type = type, .shapes = {shape(64, 64, 1)}};
    };
    const RandomShapes shapes{.series = {series("bf16"), series("fp16")}, .from = {}, .missing = {}};
    EXPECT_EQ(series_for(shapes, "wgmma_tma", "bf16")->type, "bf16");
    EXPECT_EQ(series_for(shapes, "wgmma_tma", "fp16")->type, "fp16");
    EXPECT_EQ(series_for(shapes, "wgmma_tma", "tf32")->type, "fp16") << "its last one";
}

} // namespace
