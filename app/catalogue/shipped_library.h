// Which kernels cuBLAS launched on a GPU, for those who have none: library.json, made by scripts/make-assets.
#pragma once

#include "stage.h"

#include "viz/analysis/launches.h"

#include <filesystem>

namespace app {

// Never throws; baselines that this gemmscope has not are left out.
viz::LibraryKernels read_shipped_library(const std::filesystem::path& folder);

} // namespace app
