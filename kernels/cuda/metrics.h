// The host part of reading counters: which counters a chip has, how to configure their collection, and how to evaluate
// the collected data. Needs no GPU. Internal to kernels/cuda.
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
    // `chip` is, for example, "GH100". `availability` is what the GPU reports; empty without a GPU. Throws
    // kernels::Unavailable.
    Metrics(const Cupti& cupti, const std::string& chip, std::span<const uint8_t> availability);
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    bool has(const std::string& name) const;

    // Returns the configuration that makes the hardware collect these metrics. Call it only once.
    std::vector<uint8_t> config(const std::vector<const char*>& names) const;

    int passes(std::vector<uint8_t>& config) const;

    // Returns the values of one range, in the order of `names`.
    std::vector<double> values(std::span<const uint8_t> data, std::size_t range, std::vector<const char*> names) const;

private:
    const Cupti& cupti_;
    std::vector<uint8_t> availability_; // the host object points to it
    CUpti_Profiler_Host_Object* host_ = nullptr;
};

} // namespace cuda
