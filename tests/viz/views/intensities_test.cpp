// FLOP per byte of a block: what is recorded stands beside what was counted at the same size.
#include "tests/ladder.h"
#include "tests/says.h"
#include "viz/views/45_reuse/block_reuse.h"

#include "viz/text/templates.h"

#include "backend.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;
using test::says;

HardwareFigures counted(uint32_t side, double sectors)
{
    HardwareFigures figures;
    figures.problem = {.M = side, .N = side, .K = side};
    figures.load_sectors = sectors;
    figures.dram_read = sectors * 32;
    figures.dram_written = 0;
    return figures;
}

std::string line_of(const BlockReuse& block, const RungFigures& rung, const std::string& level)
{
    for (const Message& message : intensity_messages(block, &rung))
        if (const std::string words = plain(message); words.find(level) != std::string::npos)
            return words;
    return "";
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
    RungFigures rung;
    rung.counted = {counted(128, 4096), counted(4096, 1 << 27)};
    EXPECT_TRUE(says(line_of(block, rung, "global, in sectors"), "32.00 at 128³"));
    EXPECT_TRUE(says(line_of(block, rung, "DRAM"), "32.00 at 4096³"));
    rung.counted = {counted(4096, 1 << 27)};
    EXPECT_TRUE(says(line_of(block, rung, "global, in sectors"), "at 4096³"));
}

} // namespace
