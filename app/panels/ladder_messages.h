// Explains how the ladder's speeds were measured and where cuBLAS is still ahead, with the ladder's own numbers. Pure
// functions that return paragraphs.
#pragma once

#include "viz/analysis/launches.h"
#include "viz/text/rich.h"

#include "backend.h"

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

// Explains median and quartiles, warm-up, random inputs, the common run with cuBLAS, and that only correct stages are
// timed.
std::vector<viz::Rich> how_it_is_timed(const std::optional<TimedStage>& stage);

struct ShareOfCublas {
    std::string slug, type; // type: "fp32"
    recording::Problem problem;
    double share = 0; // 1: as fast as cuBLAS
};

// Returns for each type the best stage at each size, and at how many sizes the library is ahead. Empty if no speed is
// known.
std::vector<viz::Rich> where_cublas_leads(std::span<const ShareOfCublas> shares);

// Returns the number of different kernels and a line for each traced size of the type. Without a trace it says why and
// what to run.
std::vector<viz::Rich> what_cublas_launches(const viz::LibraryKernels& library, std::string_view type);

} // namespace app
