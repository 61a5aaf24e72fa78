// What comes with gemmscope for those who have no GPU: a recording and a speed of every rung, made on one by
// scripts/make-assets. All of it may be missing or broken; then a sentence says so.
#pragma once

#include "backend.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct ShippedSpeed {
    std::string slug;                    // of a stage, or of a baseline that needs a GPU
    kernels::ParameterValues parameters; // as timed; none of a baseline
    recording::Problem problem;
    double median_ms = 0;
    double low_ms = 0, high_ms = 0;          // quartiles
    int samples = 0;                         // 0: not said
    std::optional<double> gflops, of_cublas; // of_cublas: 1 is as fast
};

struct ShippedSpeeds {
    std::string device, date;            // "NVIDIA H200", "2026-11-21"
    double peak_gflops = 0;              // of FP32; 0: not known
    std::optional<double> cublas_gflops; // of SGEMM
    std::vector<ShippedSpeed> rows;
    std::vector<ShippedSpeed> by_size; // of the same stages at other sizes; may be none
    std::string missing;               // why there are none, as a sentence; else empty

    // Null: none with these parameters.
    const ShippedSpeed* find(std::string_view slug, const kernels::ParameterValues& parameters) const;
};

// $GEMMSCOPE_RECORDINGS; else share/gemmscope/recordings beside the program's folder, or assets/recordings in the source
// tree that it was built from. It need not exist.
std::filesystem::path shipped_folder();

// speeds.json of the folder. Never throws; stages that this ladder has not, and results that were wrong, are left out.
ShippedSpeeds read_shipped_speeds(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder);

// Of rows as `gemmscope bench --json` prints them: likewise left out. Throws whatever broken rows lead to.
std::vector<ShippedSpeed> speeds_in(const nlohmann::json& rows, const std::vector<kernels::Stage>& ladder);

// "shipped: NVIDIA H200, 2026-11-21, size 4096"
std::string shipped_words(const ShippedSpeeds& speeds, const ShippedSpeed& speed, kernels::Operation operation);

// Throws kernels::Unavailable when there is none of this stage, kernels::Error when what is there cannot be read or is
// something else.
recording::Recording read_shipped_recording(const std::filesystem::path& folder, const kernels::Stage& stage);

// Whether it is what the job would record, blocks aside.
bool answers(const recording::Recording& recording, const kernels::Job& job);

// "recorded on NVIDIA H200, 2026-11-21, shipped with gemmscope"; and when the stage's source has changed since, so.
std::string shipped_words(const recording::Recording& recording, const kernels::Stage& stage);

} // namespace app
