// Stands in for counters.cpp where CUPTI's headers were missing when gemmscope was built.
#include "cuda/cuda_backend.h"

namespace cuda {

kernels::Counters CudaBackend::counters(const kernels::Job&, std::stop_token)
{
    throw kernels::Unavailable(
        "This gemmscope was built without CUPTI, through which the GPU's counters are read; install "
        "the package cuda-cupti-dev of CUDA 12.6 or later from NVIDIA's repository, and run ./run "
        "again.");
}

} // namespace cuda
