// Facts about a GPU as JSON: printed by `gemmscope info`, shipped as gpu.json, and stored between runs.
#pragma once

#include "app/data/shipped_file.h"

#include "viz/analysis/cache_hints.h"
#include "viz/analysis/launches.h"
#include "viz/analysis/warp_times.h"

#include "base/fields.h"
#include "recording/gpu.h"
#include "recording/measured.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace viz {

void fields(auto& visit, kernels::Like<CacheHintRow> auto& row)
{
    visit("kib", row.kib, kernels::between(1u, 1u << 20));
    visit("way", row.way);
    visit("us", row.us, kernels::above_zero);
    visit("l2_hits", row.l2_hits, kernels::between(0.0, 1.0));
    visit("l1_hits", row.l1_hits, kernels::between(0.0, 1.0));
    visit("dram_bytes", row.dram_bytes);
}

} // namespace viz

namespace app {

struct GpuFacts {
    recording::GpuProperties properties;
    std::optional<recording::GpuMeasurement> measured;
    friend bool operator==(const GpuFacts&, const GpuFacts&) = default;
};
void fields(auto& visit, kernels::Like<GpuFacts> auto& facts)
{
    visit("gpu", facts.properties);
    visit("measured", facts.measured);
}

nlohmann::json to_json(const GpuFacts& facts);

// Parses the facts. Throws kernels::Error if something is missing or a figure is impossible.
GpuFacts gpu_from_json(const nlohmann::json& json);

struct ShippedGpu {
    std::optional<GpuFacts> facts;
    recording::Reasons missing; // why there are no facts
};

// Reads a file. Never throws.
ShippedGpu read_gpu(const std::filesystem::path& file);
// Reads gpu.json of the folder. An empty folder means that none is shipped.
ShippedGpu read_shipped_gpu(const std::filesystem::path& folder);

// Replaces the file as a whole. Throws kernels::Error that says what could not be written.
void write_gpu(const GpuFacts& facts, const std::filesystem::path& file);

// Returns the file for measurements of the GPU of this name: $XDG_CONFIG_HOME/gemmscope/gpu-NAME.json, or the same
// below ~/.config. Empty if neither variable is set.
std::filesystem::path measured_gpu_path(const std::string& name);

// The kernels that cuBLAS launched on a GPU, for users without one: library.json.

// Reads the kernels. Never throws. Skips unknown baselines.
viz::LibraryKernels read_library(const std::filesystem::path& folder);

// The times at which the warps of one SM take each step, as JSON: printed by `gemmscope warps` and shipped as
// warps.json.

nlohmann::json to_json(const recording::WarpTimes& times, const kernels::Stage& stage);

// Reads the shipped times. Never throws.
viz::WatchedStages read_warps(const std::filesystem::path& folder, const Ladder& ladder);

// Reads cache_hints.json, the figures that a GPU measured of programs/l2_persistence.cu. Never throws.
viz::CacheHints read_cache_hints(const std::filesystem::path& folder);

} // namespace app
