// Peak, bandwidth and ridge from their factors, compared with NVIDIA's data sheets.
#include "viz/analysis/gpu_levels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

TEST(GpuCalculator, MultipliesTheFactors)
{
    const viz::TypedGpu gpu{"typed", 10, 64, 2000, 256, 1000};
    EXPECT_DOUBLE_EQ(gpu.gflops(), 10 * 64 * 2 * 2.0);
    EXPECT_DOUBLE_EQ(gpu.gbps(), 256 / 8 * 2 * 1.0);
    EXPECT_DOUBLE_EQ(gpu.ridge(), 40);
    EXPECT_EQ((viz::TypedGpu{"no memory", 10, 64, 2000}).ridge(), 0);
}

TEST(GpuCalculator, KnowsWhatIsPublished)
{
    const auto gpus = viz::known_gpus();
    const auto find = [&](const char* name) { return *std::ranges::find(gpus, name, &viz::TypedGpu::name); };
    EXPECT_NEAR(find("A100 80 GB").gflops(), 19500, 50);
    EXPECT_NEAR(find("A100 80 GB").gbps(), 2039, 2);
    EXPECT_NEAR(find("H100 SXM").gbps(), 3352, 2);
    EXPECT_NEAR(find("RTX 4090").gflops(), 82600, 100);
    EXPECT_NEAR(find("V100 SXM2").gbps(), 898, 2);
    EXPECT_NEAR(find("RTX 3090").gflops(), 35600, 50);
    EXPECT_NEAR(find("RTX 3090").gbps(), 936, 1);
    EXPECT_NEAR(find("RTX A6000").gflops(), 38700, 50);
    EXPECT_NEAR(find("RTX A6000").gbps(), 768, 1);
    EXPECT_NEAR(find("RTX 5070 Ti").gflops(), 43900, 100);
    EXPECT_NEAR(find("RTX 5070 Ti").gbps(), 896, 1);
    for (const viz::TypedGpu& gpu : gpus)
        EXPECT_FALSE(gpu.source.empty()) << gpu.name;
}

TEST(GpuCalculator, BeginsWithTheGpuAtHand)
{
    const recording::GpuProperties gpu{.name = "A GPU",
                                       .compute_capability = 80,
                                       .sm_count = 108,
                                       .clock_khz = 1410000,
                                       .memory_clock_khz = 1593000,
                                       .memory_bus_bits = 5120};
    EXPECT_EQ(viz::typed_of(gpu), (viz::TypedGpu{"A GPU", 108, 64, 1410, 5120, 1593}));
    EXPECT_EQ(viz::lanes_of_sm(90), 128u);
    EXPECT_EQ(viz::lanes_of_sm(86), 128u);
    EXPECT_EQ(viz::lanes_of_sm(75), 64u);
}

} // namespace
