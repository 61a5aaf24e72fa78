// Kernels that a library launched, as the command line prints them.
#pragma once

#include "recording/launched.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace app {

// An array; app/catalogue/shipped_library.cpp reads it.
nlohmann::json to_json(const std::vector<recording::LaunchedKernel>& kernels);
void print(const std::vector<recording::LaunchedKernel>& kernels);

} // namespace app
