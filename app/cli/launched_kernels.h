// Kernels that a library launched, as the command line prints them.
#pragma once

#include "recording/launched.h"

#include <vector>

namespace app {

void print(const std::vector<recording::LaunchedKernel>& kernels);

} // namespace app
