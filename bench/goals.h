// The speed goals and what was measured against them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace bench {

struct Result {
    std::string what, unit;
    std::vector<double> samples;
    double goal = 0; // at most
};

inline double median(std::vector<double> samples)
{
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

// In the program's window on a screen of its own. Throw std::runtime_error.
std::vector<Result> window_results();

} // namespace bench
