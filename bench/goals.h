// The speed goals and the measured results.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct Result {
    std::string what, unit;
    std::vector<double> samples;
    double goal = 0; // maximum
    // For frames: processor time of all threads, which is more meaningful than wall time if other programs run.
    std::vector<double> cpu_ms;
};

inline double median(std::vector<double> samples)
{
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

// Receives each result as soon as it is known, because all of them together take minutes.
using Take = std::function<void(Result)>;

// Measures the window's start on a separate display, and the frames of every view whose name contains `only`. Throw
// std::runtime_error.
void start_results(const Take& take);
// Measures processor time and memory of the window at rest, and playing for that many minutes.
void rest_results(double minutes, const Take& take);
// Measures the time from a saved or typed change to the picture, for copies of stages at 128^3 and for other CUDA
// files. Needs a C++ compiler and NVRTC.
void edit_results(const Take& take);
void frame_results(std::string_view only, const Take& take);

// Measures compiled kernels of any CUDA file, executed without a GPU.
void trace_results(const Take& take);

// Measures tasks in another process.
void worker_results(const Take& take);

} // namespace bench
