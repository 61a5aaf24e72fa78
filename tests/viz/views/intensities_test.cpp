// FLOP per byte of a block: recorded and counted values at the same size.
#include "tests/ladder.h"
#include "viz/views/45_reuse/facts.h"

#include "backend.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

HardwareFigures counted(uint32_t side, double sectors)
{
    HardwareFigures figures;
    figures.problem = {.M = side, .N = side, .K = side};
    figures.load_sectors = sectors;
    figures.dram_read = sectors * 32;
    figures.dram_written = 0;
    return figures;
}

LevelIntensity at_level(const BlockReuse& block, const StageFacts& rung, const std::string& level)
{
    for (const LevelIntensity& one : intensities_of(block, &rung))
        if (one.level == level)
            return one;
    ADD_FAILURE() << "nothing of " << level;
    return {};
}

TEST(Intensities, OfARecordingStandBesideTheCountersOfItsOwnSize)
{
    const kernels::Stage& stage = test::stage("vectorized");
    StageColumn shown;
    shown.slug = stage.slug;
    shown.recording = std::make_shared<const recording::Recording>(
        test::record({&stage, stage.standard_parameters(), {.M = 128, .N = 128, .K = 128}}));
    const std::optional<Reuse> reuse = reuse_of(*shown.recording, shown.recording->blocks.at(0));
    const BlockReuse block{*shown.recording, shown.recording->blocks.at(0), reuse.value()};
    StageFacts rung;
    rung.counted = {counted(128, 4096), counted(4096, 1 << 27)};
    const LevelIntensity sectors = at_level(block, rung, "sectors"), dram = at_level(block, rung, "DRAM");
    EXPECT_EQ(sectors.counted_at.M, 128u);
    EXPECT_DOUBLE_EQ(sectors.counted.value(), 32);
    EXPECT_DOUBLE_EQ(sectors.recorded.value(), 32) << "each sector of the block's A and B once";
    EXPECT_EQ(dram.counted_at.M, 4096u);
    EXPECT_DOUBLE_EQ(dram.counted.value(), 32);
    EXPECT_FALSE(dram.recorded) << "no lane requests bytes from DRAM";
    EXPECT_DOUBLE_EQ(at_level(block, rung, "shared").recorded.value(), 2) << "8 x 8 results of a thread";
    rung.counted = {counted(4096, 1 << 27)};
    EXPECT_EQ(at_level(block, rung, "sectors").counted_at.M, 4096u) << "its own launch was not counted";
}

} // namespace
