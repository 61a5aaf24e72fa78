// What is known of a GPU as JSON: printed by `gemmscope info`, shipped as gpu.json, kept from run to run.
#pragma once

#include "recording/gpu.h"
#include "recording/measured.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

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

// Throws kernels::Error where something is missing, or a figure cannot be right.
GpuFacts gpu_from_json(const nlohmann::json& json);

struct ReadGpu {
    std::optional<GpuFacts> facts;
    recording::Reasons missing; // why there are none
};

// Never throws.
ReadGpu read_gpu(const std::filesystem::path& file);
ReadGpu read_shipped_gpu(const std::filesystem::path& folder); // its gpu.json; of no folder: none is shipped

// Replaces the file as a whole. Throws kernels::Error saying what could not be written.
void write_gpu(const GpuFacts& facts, const std::filesystem::path& file);

// Where what was measured on the GPU of this name is kept: $XDG_CONFIG_HOME/gemmscope/gpu-NAME.json, or the same below
// ~/.config; empty when neither is set.
std::filesystem::path measured_gpu_path(const std::string& name);

} // namespace app
