// Times subjects on the GPU. Samples of the subjects alternate, so that clocks and temperature are the same for all.
// Internal to kernels/cuda.
#pragma once

#include "backend.h"
#include "cuda/context.h"
#include "cuda/library.h"

#include <cstdint>
#include <functional>
#include <string>

namespace cuda {

// A subject to time.
struct Subject {
    std::function<void()> launch;
    int launches_per_sample = 1;
    std::vector<double> samples; // milliseconds per launch
};

class Sampler {
public:
    // `initial` is the value of C before each sample; null if C is not read.
    Sampler(const Context& context, const Buffer& C, const Buffer* initial)
        : context_(context), C_(C), initial_(initial), start_(context), end_(context)
    {
    }

    // Runs the launch once to warm up, then times a single launch in milliseconds. For a short launch this includes the
    // host's overhead. Throws kernels::Cancelled.
    double once(const Subject& subject, const std::stop_token& stop) const;

    // Warms up, then samples all subjects. Throws kernels::Cancelled.
    void sample(std::vector<Subject>& subjects, double seconds, const std::stop_token& stop) const;

private:
    class Graph;

    double milliseconds_per_launch(const Subject& subject, const Graph* graph = nullptr) const;
    void warm_up(std::vector<Subject>& subjects, double seconds, const std::stop_token& stop) const;

    const Context& context_;
    const Buffer& C_;
    const Buffer* initial_;
    Event start_, end_;
};

// The part of NVIDIA's management library that reports how much energy a GPU has used. The library comes with the
// driver; its header is not needed. Internal to kernels/cuda.

class Nvml {
public:
    // `uuid` identifies the GPU: "GPU-5f1d...". Throws kernels::Unavailable, with a sentence, if the library is
    // missing, does not know this GPU, or has no energy counter for it.
    explicit Nvml(const std::string& uuid);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    // Returns the energy that the whole GPU has used since its driver was loaded. Throws kernels::Unavailable.
    uint64_t millijoules() const;

private:
    void check(int result, const char* what) const;

    Library library_;
    void* device_ = nullptr;
};

} // namespace cuda
