#include "traced/host_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using traced::LaunchToShow;
using traced::default_launch;

TEST(TellingLaunch, IsNotOneThatPutsValuesIntoMemory)
{
    for (const char* const name : {"init", "initMatrix", "fill_random<float>", "my::zero(float*)", "curand_setup"})
        EXPECT_EQ(default_launch(std::vector<LaunchToShow>{{name, 4096, 900}, {"scale", 0, 3}}), 1u) << name;
    for (const char* const name : {"finite", "refill2d", "zeroth", "initiator", "init_space::scale"})
        EXPECT_EQ(default_launch(std::vector<LaunchToShow>{{name, 4096, 900}, {"scale", 0, 3}}), 0u) << name;
    EXPECT_EQ(default_launch(std::vector<LaunchToShow>{{"init", 0, 1}}), 0u) << "the only launch";
}

TEST(TellingLaunch, IsNotOneOfAnotherLibraryWhereThereIsOneOfItsOwn)
{
    for (const char* const name : {"static_kernel<...>", "cub::DeviceScanKernel<int>", "_kernel_agent<...>"})
        EXPECT_EQ(default_launch(std::vector<LaunchToShow>{{name, 4096, 900}, {"scale", 0, 3}}), 1u) << name;
}

TEST(TellingLaunch, HasSharedMemoryThenMoreWorkThenComesLater)
{
    EXPECT_EQ(default_launch(std::vector<LaunchToShow>{{"tiled", 4096, 10}, {"naive", 0, 1000}}), 0u);
    EXPECT_EQ(default_launch(std::vector<LaunchToShow>{{"a", 0, 10}, {"b", 0, 30}, {"c", 0, 20}}), 1u);
    EXPECT_EQ(default_launch(std::vector<LaunchToShow>{{"a", 0, 10}, {"b", 0, 10}}), 1u);
    EXPECT_EQ(default_launch({}), std::nullopt);
}

} // namespace
