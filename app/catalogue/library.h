// Which kernels cuBLAS launched on a GPU, for those who have none: library.json.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "viz/analysis/launches.h"

namespace app {

// Never throws; baselines that this gemmscope has not are left out.
viz::LibraryKernels read_library(const std::filesystem::path& folder);

} // namespace app
