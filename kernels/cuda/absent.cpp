// Stands in for the CUDA backend where the toolkit's headers were missing when gemmscope was built.
#include "backend.h"

namespace kernels {

std::unique_ptr<Backend> make_cuda_backend()
{
    throw Unavailable("This gemmscope was built without the CUDA toolkit, so it runs on the CPU only; install the "
                      "package cuda-toolkit (NVIDIA's repository) or nvidia-cuda-toolkit and run ./run again.");
}

} // namespace kernels
