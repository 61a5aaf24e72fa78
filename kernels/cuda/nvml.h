// The part of NVIDIA's management library that reports how much energy a GPU has used. The library comes with the
// driver; its header is not needed. Internal to kernels/cuda.
#pragma once

#include "cuda/library.h"

#include <cstdint>
#include <string>

namespace cuda {

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
