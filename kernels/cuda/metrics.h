// The host half of reading counters: which a kind of GPU has, how they are collected, and what was collected. Needs no
// GPU. Internal to kernels/cuda.
#pragma once

#include "cuda/cupti.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

class Metrics {
public:
    // `chip`: "GH100". `availability`: as the GPU at hand gives it; empty where there is none. Throws
    // kernels::Unavailable.
    Metrics(const Cupti& cupti, const std::string& chip, std::span<const uint8_t> availability);
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    bool has(const std::string& name) const;

    // What the hardware has to be told to collect these. Only once.
    std::vector<uint8_t> config(const std::vector<const char*>& names) const;

    int passes(std::vector<uint8_t>& config) const;

    // Of the range, in the order of `names`.
    std::vector<double> values(std::span<const uint8_t> data, std::size_t range, std::vector<const char*> names) const;

private:
    const Cupti& cupti_;
    std::vector<uint8_t> availability_; // the host object refers to it
    CUpti_Profiler_Host_Object* host_ = nullptr;
};

} // namespace cuda
