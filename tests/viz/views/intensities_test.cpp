// FLOP per byte of a block: what is recorded stands beside what was counted at the same size.
#include "viz/views/45_reuse/block_reuse.h"

#include "viz/text/templates.h"

#include "backend.h"

#include <gtest/gtest.h>

#include <thread>

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

std::string line_of(const BlockReuse& block, const RungFigures& rung, const std::string& level)
{
    for (const Message& message : intensity_messages(block, &rung))
        if (const std::string words = plain(message); words.find(level) != std::string::npos)
            return words;
    return "";
}

TEST(Intensities, OfARecordingStandBesideTheCountersOfItsOwnSize)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, "vectorized");
    const recording::Index3 at{0, 0, 0};
    ShownStage shown;
    shown.slug = stage.slug;
    shown.recording = std::make_shared<const recording::Recording>(kernels::make_cpu_backend()->record(
        {&stage, stage.standard_parameters(), {.M = 128, .N = 128, .K = 128}}, {&at, 1}, {}));
    BlockReuse block;
    while (!block.known) {
        block.update(shown, focus_on(shown, shown, {}));
        std::this_thread::yield();
    }
    RungFigures rung;
    rung.counted = {counted(128, 4096), counted(4096, 1 << 27)};
    EXPECT_NE(line_of(block, rung, "global, in sectors").find("32.00 at 128³"), std::string::npos)
        << line_of(block, rung, "global, in sectors");
    EXPECT_NE(line_of(block, rung, "DRAM").find("32.00 at 4096³"), std::string::npos) << line_of(block, rung, "DRAM");
    rung.counted = {counted(4096, 1 << 27)};
    EXPECT_NE(line_of(block, rung, "global, in sectors").find("at 4096³"), std::string::npos)
        << line_of(block, rung, "global, in sectors");
}

} // namespace
