// Traces the kernels that cuBLAS selects for a multiplication.
#include "cuda/cuda_backend.h"
#include "cuda/launch_tracer.h"
#include "gemm/inputs.h"
#include "recording/inputs.h"

namespace cuda {

std::vector<recording::LaunchedKernel> CudaBackend::cublas_kernels(kernels::Precision precision,
                                                                   const recording::Problem& problem,
                                                                   std::stop_token stop)
{
    enter_cublas(problem, stop);
    const Cupti cupti(context_.cuda_version() / 1000);
    const DeviceOperands operands = library_operands(
        precision, problem, kernels::input_operands(kernels::Operation::gemm, problem, recording::input_seed));
    const auto multiply = [&] {
        multiply_with_cublas(precision, problem, operands);
        context_.synchronize("cuBLAS");
    };
    multiply(); // the first call also selects an algorithm and loads its kernel
    LaunchTracer tracer(cupti);
    multiply();
    std::vector<recording::LaunchedKernel> found = tracer.finish();
    if (found.empty())
        throw kernels::Unavailable("CUPTI saw no kernel of cuBLAS; another profiler may hold its records (Nsight, or "
                                   "another gemmscope): end it and try again.");
    return found;
}

} // namespace cuda
