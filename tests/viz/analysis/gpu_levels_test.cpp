// Memory levels, and the data of a stage at each of them, from made-up facts.
#include "viz/analysis/gpu_levels.h"

#include "tests/viz/analysis/recordings.h"

#include <gtest/gtest.h>

namespace {

recording::GpuProperties gpu()
{
    return {.compute_capability = 90,
            .sm_count = 6,
            .clock_khz = 2000000,
            .memory_clock_khz = 3000000,
            .memory_bus_bits = 6144,
            .memory_bytes = uint64_t{140} << 30,
            .l2_bytes = 60 << 20,
            .registers_per_sm = 65536,
            .shared_bytes_per_sm = 228 * 1024};
}

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

TEST(GpuLevels, WithoutMeasurementsThereAreSizesOnly)
{
    const auto levels = viz::memory_levels(gpu(), nullptr);
    ASSERT_EQ(levels.size(), 5u);
    EXPECT_EQ(levels[0].bytes, 256 * KiB);
    EXPECT_EQ(levels[2].bytes, 256 * KiB);
    EXPECT_TRUE(levels[2].published);
    EXPECT_EQ(levels[3].bytes, 60 * MiB);
    for (const viz::MemoryLevel& level : levels)
        EXPECT_FALSE(level.latency) << level.name;
    EXPECT_FALSE(levels[3].bandwidth);
    EXPECT_DOUBLE_EQ(levels[4].bandwidth->value, 4608) << "2 x 3 GHz x 768 bytes";
    EXPECT_FALSE(levels[4].bandwidth->measured);
}

TEST(GpuLevels, LatenciesAreThoseOfWhatFitsTheLevel)
{
    recording::GpuMeasurement measured{.latency = {{4 * KiB, 15, 30},
                                                   {256 * KiB, 70, 150},
                                                   {MiB, 140, 280},
                                                   {16 * MiB, 150, 300},
                                                   {64 * MiB, 260, 500},
                                                   {GiB, 330, 650}},
                                       .shared_latency = recording::Latency{4 * KiB, 12, 23}};
    const auto levels = viz::memory_levels(gpu(), &measured);
    EXPECT_EQ(levels[1].latency->cycles, 23);
    EXPECT_EQ(levels[2].latency->cycles, 30);
    EXPECT_EQ(levels[3].latency->cycles, 280) << "256 KiB are still partly L1's";
    EXPECT_EQ(levels[4].latency->cycles, 650);
    measured.chains = {{MiB, 1, 140, 281}, {GiB / 2, 1, 329, 652}, {GiB / 2, 2, 657, 1302}};
    EXPECT_EQ(viz::memory_levels(gpu(), &measured)[4].latency->cycles, 652) << "the figure of the chain beside it";
}

TEST(GpuLevels, GroupsAreThoseThatRanClustersTogether)
{
    recording::GpuMeasurement measured{.group_of_sm = {0, 1, 0, 1, 2, recording::no_group}};
    const auto groups = viz::sm_groups(gpu(), &measured);
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].sms, (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(groups[1].sms, (std::vector<uint32_t>{1, 3}));
    EXPECT_FALSE(groups[2].known);
    EXPECT_EQ(groups[2].sms, (std::vector<uint32_t>{4, 5})) << "no cluster ran on these SMs";
    measured.group_of_sm.pop_back();
    EXPECT_TRUE(viz::sm_groups(gpu(), &measured).empty()) << "the measurement is of another GPU";
    EXPECT_TRUE(viz::sm_groups(gpu(), nullptr).empty());
}

TEST(GpuLevels, WhereAStageKeepsItsData)
{
    recording::Recording recording;
    recording.problem = {.M = 8, .N = 4, .K = 16};
    recording.launch.block = {16, 1, 1};
    recording.arrays = {array_of("A", recording::Space::global, 8, 16), array_of("B", recording::Space::global, 16, 4),
                        array_of("C", recording::Space::global, 8, 4), array_of("As", recording::Space::shared, 8, 8)};
    recording.arrays[0].element_bytes = recording.arrays[1].element_bytes = 2;
    recording.owner.resize(32);
    for (uint32_t i = 0; i < 32; ++i)
        recording.owner[i] = i / 2;
    const viz::StageData data = viz::stage_data(recording, {.M = 100, .N = 10, .K = 1000});
    EXPECT_EQ(data.A, 200000u);
    EXPECT_EQ(data.B, 20000u);
    EXPECT_EQ(data.C, 4000u);
    EXPECT_EQ(data.tile_bytes, 256u);
    EXPECT_EQ(data.sums, 2);
    recording.resources = recording::Resources{61, 300, 0, 3};
    const viz::StageData known = viz::stage_data(recording, recording.problem);
    EXPECT_EQ(known.tile_bytes, 300u);
    EXPECT_EQ(known.blocks, 3u);
    EXPECT_EQ(known.shared_of_block, 1408u) << "with 1,024 bytes for the system, in units of 128";
    EXPECT_EQ(known.register_bytes(), 4u * 64 * 32 * 3) << "a whole warp, in units of 8 a thread";
    recording.resources->registers_per_thread = 0; // a file may contain this
    EXPECT_EQ(viz::stage_data(recording, recording.problem).register_bytes(), 0u);
}

} // namespace
