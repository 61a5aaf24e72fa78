// The speed goals and what was measured against them.
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
    double goal = 0;            // at most
    std::vector<double> cpu_ms; // of frames: processor time, all threads together; says more where others work too
};

inline double median(std::vector<double> samples)
{
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

// Gets each result as soon as it is known: all of them take minutes.
using Take = std::function<void(Result)>;

// In the program's window on a screen of its own: its start, and the frames of every view whose name contains `only`.
// Throw std::runtime_error.
void start_results(const Take& take);
// From a saved or typed change to the picture, of copies of rungs at 128^3 and of other CUDA files; needs a C++ compiler and
// NVRTC.
void edit_results(const Take& take);
void frame_results(std::string_view only, const Take& take);

// Kernels of any CUDA file, compiled before, executed without a GPU.
void trace_results(const Take& take);

// Tasks in another process.
void worker_results(const Take& take);

} // namespace bench
