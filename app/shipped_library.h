// Which kernels cuBLAS launched on a GPU, for those who have none: library.json, made by scripts/make-assets.
#pragma once

#include "stage.h"

#include "viz/analysis/launches.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct ShippedLibrary {
    struct Row {
        std::string slug; // of a baseline
        viz::KernelsAt at;
    };
    std::string device;
    uint32_t compute_capability = 0, sm_count = 0; // of that device; 0: not said
    std::vector<Row> rows;
    std::string missing; // why there are none, as a sentence; else empty

    std::vector<viz::KernelsAt> of(std::string_view slug) const;
};

// Never throws; baselines that this gemmscope has not are left out.
ShippedLibrary read_shipped_library(const std::filesystem::path& folder);

} // namespace app
