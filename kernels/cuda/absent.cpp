// Stands in for the CUDA backend where the toolkit's headers were missing when gemmscope was built.
#include "backend.h"

namespace kernels {

std::unique_ptr<Backend> make_cuda_backend()
{
    throw Unavailable("This gemmscope was built without the CUDA toolkit, so it runs on the CPU only. For a GPU "
                      "install CUDA 12 or later, package cuda-toolkit of NVIDIA's repository (the nvidia-cuda-toolkit "
                      "of Debian 12 is too old), and run ./run again.");
}

} // namespace kernels
