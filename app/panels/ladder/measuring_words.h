// How the ladder's speeds were measured, and where cuBLAS is still ahead, in the ladder's own numbers. Pure functions.
#pragma once

#include "backend.h"

#include "viz/analysis/launches.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct TimedStage {
    std::string slug, origin;
    kernels::Timing timing;
    std::optional<double> of_cublas;
};

// A paragraph each: median and quartiles, warming up, random inputs, one run with cuBLAS, and that it is right first.
std::vector<std::string> how_it_is_timed(const std::optional<TimedStage>& stage);

struct ShareOfCublas {
    std::string slug, type; // "fp32"
    recording::Problem problem;
    double share = 0; // 1: as fast
};

// A paragraph for each type: the best rung at each size, and at which the library is ahead. Empty: nothing is known.
std::vector<std::string> where_cublas_leads(std::span<const ShareOfCublas> shares);

// A paragraph for each size that was traced of the type, and one before that counts the different kernels; or why there are
// none and what to run.
std::vector<std::string> what_cublas_launches(const viz::LibraryKernels& library, std::string_view type);

} // namespace app
