// The speed goals and what was measured against them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct Result {
    std::string what, unit;
    std::vector<double> samples;
    double goal = 0;            // at most
    std::vector<double> cpu_ms; // of frames: processor time, all threads together; says more where others work too
};

inline double median(std::vector<double> samples)
{
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

// In the program's window on a screen of its own: its start, and the frames of every view whose name contains `only`.
// Throw std::runtime_error.
std::vector<Result> start_results();
std::vector<Result> frame_results(std::string_view only);

} // namespace bench
