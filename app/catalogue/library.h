// Which kernels cuBLAS launched on a GPU, for those who have none: library.json.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "viz/analysis/launches.h"

namespace app {

// Kernels as a tracer of launches describes them, an array.
nlohmann::json to_json(const std::vector<recording::LaunchedKernel>& kernels);
std::vector<recording::LaunchedKernel> kernels_from(const nlohmann::json& list);

// Never throws; baselines that this gemmscope has not are left out.
viz::LibraryKernels read_library(const std::filesystem::path& folder);

} // namespace app
