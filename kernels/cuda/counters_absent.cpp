// Replaces counters.cpp, launch_tracer.cpp and access_patterns.cpp if gemmscope was built without CUPTI's headers.
#include "cuda/cuda_backend.h"
#include "measure/pattern_measurement.h"

namespace {

[[noreturn]] void refuse_counters()
{
    throw kernels::Unavailable(
        "This gemmscope was built without CUPTI, through which the GPU's counters are read and kernels traced; install "
        "the package cuda-cupti-dev of CUDA 12.6 or later from NVIDIA's repository, and run ./run "
        "again.");
}

} // namespace

namespace cuda {

kernels::Counters CudaBackend::counters(const kernels::Job&, std::stop_token)
{
    refuse_counters();
}

kernels::Counters CudaBackend::cublas_counters(kernels::Precision, const recording::Problem&, std::stop_token)
{
    refuse_counters();
}

kernels::InstructionCounters CudaBackend::instruction_counters(const kernels::Job&, std::stop_token)
{
    refuse_counters();
}

kernels::WarpSamples CudaBackend::warp_samples(const kernels::Job&, std::stop_token)
{
    refuse_counters();
}

std::vector<recording::LaunchedKernel> CudaBackend::cublas_kernels(kernels::Precision, const recording::Problem&,
                                                                   std::stop_token)
{
    refuse_counters();
}

} // namespace cuda

namespace kernels {

void measure_patterns(std::span<model::PatternRow>, const std::function<void(std::span<const model::PatternRow>)>&,
                      std::stop_token, int)
{
    refuse_counters();
}

} // namespace kernels
