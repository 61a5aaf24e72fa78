// The speed goals and what was measured against them.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Result {
    std::string what, unit;
    std::vector<double> samples;
    double goal = 0; // at most
};

double median(std::vector<double> samples);

// In the program's window on a screen of its own. Throw std::runtime_error.
std::vector<Result> window_results();

} // namespace bench
