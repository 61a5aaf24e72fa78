// What a bench of many shapes comes to: per stage, over its shares of cuBLAS.
#pragma once

#include "app/catalogue/speeds.h"
#include "app/cli/output.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace app {

struct ShapeSummary {
    std::string stage;
    std::size_t shapes = 0;         // that have a share
    std::size_t wrong = 0;          // results
    double geometric_mean = 0;      // of the shares; 1 is as fast as cuBLAS
    std::size_t aligned_shapes = 0; // whose rows of A, B and C are multiples of 16 bytes
    double aligned_mean = 0;
    double mean_of_best = 0;            // of shares of the fastest of cuBLAS's algorithms; 0: those were not timed
    std::vector<const TimedRow*> worst; // ten at most, the least first
};

std::vector<ShapeSummary> summaries(std::span<const TimedRow> rows);

// Prints them as two tables, and returns them as JSON.
nlohmann::ordered_json print(Output& out, const std::vector<ShapeSummary>& summaries);

} // namespace app
