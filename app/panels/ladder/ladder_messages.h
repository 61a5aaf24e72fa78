// How the ladder's speeds were measured, and where cuBLAS is still ahead, in the ladder's own numbers. Pure functions.
// Each gives paragraphs.
#pragma once

#include "backend.h"

#include "viz/analysis/launches.h"
#include "viz/text/rich.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct TimedStage {
    std::string slug;
    recording::Provenance from;
    kernels::Timing timing;
    std::optional<double> of_cublas;
};

// Median and quartiles, warming up, random inputs, one run with cuBLAS, and that it is right first.
std::vector<viz::Rich> how_it_is_timed(const std::optional<TimedStage>& stage);

struct ShareOfCublas {
    std::string slug, type; // "fp32"
    recording::Problem problem;
    double share = 0; // 1: as fast
};

// For each type: the best rung at each size, and at how many the library is ahead. Empty: nothing is known.
std::vector<viz::Rich> where_cublas_leads(std::span<const ShareOfCublas> shares);

// For each size that was traced of the type, and before that how many different kernels there are; or why there are none and
// what to run.
std::vector<viz::Rich> what_cublas_launches(const viz::LibraryKernels& library, std::string_view type);

} // namespace app
