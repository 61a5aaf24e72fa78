// NVIDIA's management library, as far as it tells how much energy a GPU has taken. It comes with the driver; its header is not
// needed. Internal to kernels/cuda.
#pragma once

#include "cuda/library.h"

#include <cstdint>
#include <string>

namespace cuda {

class Nvml {
public:
    // `uuid`: of the GPU, "GPU-5f1d...". Throws kernels::Unavailable in a sentence: there is no such library, it does not know
    // this GPU, or the GPU counts no energy.
    explicit Nvml(const std::string& uuid);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    // That the whole GPU has taken since its driver was loaded. Throws likewise.
    uint64_t millijoules() const;

private:
    void check(int result, const char* what) const;

    Library library_;
    void* device_ = nullptr;
};

} // namespace cuda
