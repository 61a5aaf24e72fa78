// Effects of a stage's parameters that are known before anything is compiled.
#pragma once

#include "stage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

struct TileFacts {
    std::string name; // "As"
    uint32_t rows = 0, cols = 0;
    uint64_t bytes = 0; // padding included
};

struct ParameterFacts {
    recording::Launch launch;
    std::vector<TileFacts> tiles; // tiles in shared memory
    uint64_t shared_bytes = 0;    // shared memory of a block
};

// Computes the facts. `values` must be parameters that the stage accepts.
ParameterFacts parameter_facts(const kernels::Stage& stage, const kernels::ParameterValues& values,
                               const recording::Problem& problem);

} // namespace app
