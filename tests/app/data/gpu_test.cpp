// Measured facts of a GPU are written as JSON and read back.
#include "app/data/gpu.h"
#include "tests/app/said.h"
#include "tests/says.h"

#include "error.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

using test::said;
using test::says;

app::GpuFacts sample()
{
    app::GpuFacts facts{{.name = "NVIDIA H200",
                         .toolkit = "NVRTC 13.0",
                         .compute_capability = 90,
                         .sm_count = 4,
                         .clock_khz = 1980000,
                         .memory_clock_khz = 3201000,
                         .memory_bus_bits = 6016,
                         .memory_bytes = uint64_t{140} << 30,
                         .l2_bytes = 62914560,
                         .registers_per_sm = 65536,
                         .shared_bytes_per_sm = 233472,
                         .shared_bytes_per_block = 232448,
                         .threads_per_sm = 2048,
                         .blocks_per_sm = 32,
                         .fp32_gflops = 66908.16},
                        recording::GpuMeasurement{.name = "NVIDIA H200",
                                                  .toolkit = "NVRTC 13.0",
                                                  .measured_at = "2026-11-21T17:00:00Z",
                                                  .latency = {{4096, 17.5, 33.25}, {1 << 30, 400, 790}},
                                                  .shared_latency = recording::Latency{4096, 15, 29},
                                                  .bandwidth = {{1 << 20, 5000}},
                                                  .l1_bandwidth = recording::Bandwidth{65536, 20000},
                                                  .shared_bandwidth = {},
                                                  .conflict_latency = {{1, 14.5, 28.75}, {2, 16, 31}},
                                                  .streaming = {{8, 4, 900}, {8, 16, 3000}},
                                                  .chains = {{65536, 1, 16, 32}, {65536, 4, 36.5, 73}},
                                                  .peaks = {{"fma", "fp32", 60000}, {"wgmma", "bf16", 800000}},
                                                  .group_of_sm = {0, 0, 1, 1}}};
    return facts;
}

class GpuFile : public testing::Test {
protected:
    kernels::TemporaryFolder temporary;
    const std::filesystem::path folder = temporary / "new"; // does not exist yet
};

TEST_F(GpuFile, ComesBackAsItWasWritten)
{
    const app::GpuFacts facts = sample();
    app::write_gpu(facts, folder / "gpu.json");
    const app::ShippedGpu read = app::read_gpu(folder / "gpu.json");
    ASSERT_TRUE(read.facts) << said(read.missing);
    EXPECT_EQ(read.facts->properties, facts.properties);
    EXPECT_EQ(read.facts->measured, facts.measured);
    EXPECT_NEAR(read.facts->properties.memory_gbps(), 4814.3, 0.1); // 2 x 3.201 GHz x 752 bytes
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "no temporary file is left";
}

TEST_F(GpuFile, MissingAndBrokenOnesAreSaid)
{
    EXPECT_TRUE(says(said(app::read_gpu(folder / "gpu.json").missing), "gpu.json is not there"));
    std::filesystem::create_directories(folder);
    const std::string good = app::to_json(sample()).dump();
    const auto with = [&](std::string_view before, std::string_view after) {
        std::string text = good;
        text.replace(text.find(before), before.size(), after);
        return text;
    };
    for (const std::string& broken :
         {std::string(), std::string("{"), good.substr(0, good.size() / 2), with("\"format\":1", "\"format\":2"),
          with("[0,0,1,1]", "[0,0,1]"), with("60000.0", "-1"), with("60000.0", "null"), with("\"gpu\"", "\"cpu\"")}) {
        std::ofstream(folder / "gpu.json") << broken;
        const app::ShippedGpu read = app::read_gpu(folder / "gpu.json");
        EXPECT_FALSE(read.facts) << broken;
        EXPECT_TRUE(says(said(read.missing), "gpu.json")) << broken;
    }
}

TEST_F(GpuFile, UnmeasuredOnesAreWhole)
{
    app::GpuFacts facts = sample();
    facts.measured.reset();
    const app::GpuFacts back = app::gpu_from_json(app::to_json(facts));
    EXPECT_FALSE(back.measured);
    EXPECT_EQ(back.properties, facts.properties);
}

} // namespace
