// A call of a library on the command line: the kernels that it launched, and what the GPU counted of it.
#pragma once

#include "app/catalogue/counters.h"
#include "app/cli/engine.h"

#include "measure/baseline.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace app {

struct LibraryCall {
    const kernels::Baseline* library = nullptr;
    CountedLibrary counted;
    std::vector<recording::LaunchedKernel> kernels; // that it launched, as traced after that
    std::string kernels_missing;                    // why there are none, as a sentence
};

// Throws kernels::Unavailable where nothing was counted, with the reason.
LibraryCall count_library(const kernels::Baseline& library, const recording::Problem& problem, Engine& engine);

nlohmann::json to_json(const LibraryCall& call);
void print(const LibraryCall& call);
void print(const std::vector<recording::LaunchedKernel>& kernels);

} // namespace app
