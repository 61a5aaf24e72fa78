// The speeds of a search's candidates by the values of single parameters.
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

// Covers the parameters that differ among the right candidates, by parameter and value. `ranked` has the fastest first.
std::vector<ValueSpeeds> speeds_by_value(std::span<const kernels::Candidate> ranked, std::size_t parameters);

// Returns the number of right candidates, which come first in a ranking.
std::size_t right_ones(std::span<const kernels::Candidate> ranked);

// Parameters with the same value in all tried candidates, and the others: indices into Stage::parameters.
struct SharedParameters {
    std::vector<std::size_t> same, differing;
};
SharedParameters shared_parameters(std::span<const kernels::Candidate> ranked, std::size_t parameters);

// Returns for example "BM 64" for each of these parameters.
viz::Value::List values_of(const kernels::Stage& stage, const kernels::Candidate& candidate,
                           std::span<const std::size_t> parameters);

// Returns the GFLOPS of cuBLAS, with which all candidates are compared: the median of the runs that were timed with the
// right candidates. Returns 0 if there are none.
double cublas_beside(std::span<const kernels::Candidate> ranked);

// Explains, with numbers of this search, why the winner could not be predicted. Empty if fewer than two candidates were
// right.
viz::Rich lesson_of(const kernels::Stage& stage, std::span<const kernels::Candidate> ranked);

} // namespace app
