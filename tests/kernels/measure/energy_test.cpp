// Tests the energy of a launch, from a counter that changes only at intervals.
#include "measure/speed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace {

// A GPU that uses this many watts while it works, and a driver that updates the counter ten times a second.
struct MadeUpGpu {
    double ms_per_launch = 1, watts = 500;
    double now = 0.037, joules = 1234.5, counted = 1234.5, next_look = 0.1;
    double look_every = 0.1;
    int64_t launches = 0;

    kernels::EnergyWork work()
    {
        return {.millijoules = [this] { return static_cast<uint64_t>(std::llround(1000 * counted)); },
                .seconds = [this] { return now; },
                .launch =
                    [this](int count) {
                        const double end = now + 1e-3 * ms_per_launch * count;
                        for (; next_look <= end; next_look += look_every)
                            counted = joules + watts * (next_look - now);
                        joules += watts * (end - now);
                        now = end;
                        launches += count;
                    },
                .check_stop = [] {}};
    }
};

TEST(Energy, OfALaunchIsThatOfManyBetweenTwoChangesOfTheCounter)
{
    for (const double ms : {0.006, 0.3, 2.7, 60.0}) {
        MadeUpGpu gpu{.ms_per_launch = ms};
        const kernels::Energy found = kernels::energy_of_launch(gpu.work(), ms, 1);
        ASSERT_TRUE(found.joules) << found.missing;
        const double expected = 0.5 * ms;
        // Delay until the change is seen; the measurement takes a second or more.
        const double late = std::max(0.005, 1e-3 * ms);
        EXPECT_NEAR(*found.joules, expected, (0.005 + late) * expected) << ms;
        EXPECT_NEAR(found.ms, ms, 1e-6 * ms);
        EXPECT_GE(gpu.now, 1) << "long enough for a counter that is slow";
    }
}

TEST(Energy, LaunchesAreFewBetweenTwoLooks)
{
    MadeUpGpu gpu{.ms_per_launch = 0.05};
    int most = 0;
    kernels::EnergyWork work = gpu.work();
    const auto launch = work.launch;
    work.launch = [&](int count) {
        most = std::max(most, count);
        launch(count);
    };
    (void)kernels::energy_of_launch(work, 0.05, 0.5);
    EXPECT_EQ(most, 100) << "5 ms of them";
}

TEST(Energy, ACounterThatStandsStillIsSaid)
{
    MadeUpGpu gpu{.look_every = 1e9};
    gpu.next_look = 1e9;
    const kernels::Energy found = kernels::energy_of_launch(gpu.work(), 1, 1);
    EXPECT_FALSE(found.joules);
    EXPECT_EQ(found.missing, "The GPU's counter of energy did not move in 3 s of work.");
    EXPECT_LT(gpu.now, 5);
}

TEST(Energy, EndsWhereItIsToEnd)
{
    MadeUpGpu gpu;
    kernels::EnergyWork work = gpu.work();
    work.check_stop = [&] {
        if (gpu.launches >= 20)
            throw std::runtime_error("enough");
    };
    EXPECT_THROW((void)kernels::energy_of_launch(work, 1, 1), std::runtime_error);
    EXPECT_EQ(gpu.launches, 20);
}

} // namespace
