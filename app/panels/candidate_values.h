// What a search says of single parameters: how fast the candidates with each value of each were.
#pragma once

#include "measure/tuning.h"

#include "viz/text/rich.h"

#include <cstddef>
#include <span>
#include <vector>

namespace app {

struct ValueSpeeds {
    std::size_t parameter = 0; // index into Stage::parameters
    int value = 0;
    std::vector<std::size_t> candidates; // indices of the right ones with this value, the fastest first
};

// Of the parameters that differ among the right candidates, by parameter and value. `ranked`: the fastest first.
std::vector<ValueSpeeds> speeds_by_value(std::span<const kernels::Candidate> ranked, std::size_t parameters);

// Right ones; they come first in a ranking.
std::size_t right_ones(std::span<const kernels::Candidate> ranked);

// Parameters that are the same in all candidates that were tried, and those that are not: indices into
// Stage::parameters.
struct SharedParameters {
    std::vector<std::size_t> same, differing;
};
SharedParameters shared_parameters(std::span<const kernels::Candidate> ranked, std::size_t parameters);

// "BM 64" of each of these parameters.
viz::Value::List values_of(const kernels::Stage& stage, const kernels::Candidate& candidate,
                           std::span<const std::size_t> parameters);

// GFLOPS of cuBLAS, the middle of its runs beside the right candidates: one figure that all are compared with; 0: there
// is none.
double cublas_beside(std::span<const kernels::Candidate> ranked);

// Why the winner could not be known without a search, in this search's own numbers; nothing where fewer than two were
// right.
viz::Rich lesson_of(const kernels::Stage& stage, std::span<const kernels::Candidate> ranked);

} // namespace app
