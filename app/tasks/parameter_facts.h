// What a choice of parameters makes of a stage, as far as that is known before anything is compiled.
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
    std::vector<TileFacts> tiles; // in shared memory
    uint64_t shared_bytes = 0;    // of a block
};

// `values`: that the stage does not refuse.
ParameterFacts parameter_facts(const kernels::Stage& stage, const kernels::ParameterValues& values,
                               const recording::Problem& problem);

} // namespace app
