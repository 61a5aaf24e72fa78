// The kernels that cuBLAS launched on a GPU, for users without one: library.json.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "viz/analysis/launches.h"

namespace app {

// Reads the kernels. Never throws. Skips unknown baselines.
viz::LibraryKernels read_library(const std::filesystem::path& folder);

} // namespace app
