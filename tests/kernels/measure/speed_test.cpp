// Tests figures that are computed from a time.
#include "measure/speed.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

kernels::SpeedFigures figures_of(std::string_view slug, const kernels::Timing& cublas)
{
    const kernels::Job job = test::job(slug, {.M = 1000, .N = 1000, .K = 500});
    recording::Device device;
    device.peak_gflops = 4000;
    return kernels::speed_figures(job, {.stage = {.median_ms = 1, .samples = 5}, .cublas = cublas}, device);
}

TEST(SpeedFigures, OfAKernelBesideCublas)
{
    const kernels::SpeedFigures figures = figures_of("naive", {.median_ms = 0.5, .samples = 5});
    EXPECT_DOUBLE_EQ(figures.gflops.value(), 1000);
    EXPECT_DOUBLE_EQ(figures.of_cublas.value(), 0.5);
    EXPECT_DOUBLE_EQ(figures.of_peak.value(), 0.25);
    EXPECT_DOUBLE_EQ(figures.cublas_gflops.value(), 2000);
}

TEST(SpeedFigures, OfTheFastestOfCublasIsASecondShare)
{
    const kernels::Job job = test::job("naive", {.M = 1000, .N = 1000, .K = 500});
    kernels::BenchResult bench{.stage = {.median_ms = 1, .samples = 5},
                               .cublas = {.median_ms = 0.5, .samples = 5},
                               .cublas_best = {.median_ms = 0.4, .samples = 5}};
    EXPECT_DOUBLE_EQ(kernels::speed_figures(job, bench, {}).of_best.value(), 0.4);
    EXPECT_DOUBLE_EQ(kernels::speed_figures(job, bench, {}).of_cublas.value(), 0.5);
    bench.cublas_best = {};
    EXPECT_FALSE(kernels::speed_figures(job, bench, {}).of_best) << "not requested";
}

TEST(SpeedFigures, AreAbsentWhereTheyWouldMeanNothing)
{
    EXPECT_FALSE(figures_of("naive", {}).of_cublas);
    EXPECT_FALSE(figures_of("naive", {}).cublas_gflops);
    EXPECT_FALSE(figures_of("thread_coords", {}).gflops) << "it computes nothing";
    EXPECT_FALSE(figures_of("thread_coords", {}).of_peak);
    const kernels::SpeedFigures half = figures_of("wmma", {.median_ms = 0.5, .samples = 5});
    EXPECT_FALSE(half.of_peak) << "the peak is that of FP32";
    EXPECT_FALSE(half.cublas_gflops);
    EXPECT_TRUE(half.of_cublas);
}

} // namespace
