#include "cuda/library_call.h"

namespace cuda {

namespace {

cublasComputeType_t compute_of(Type type)
{
    return type == type_fp32   ? CUBLAS_COMPUTE_32F_PEDANTIC // otherwise FP32 may become TF32
           : type == type_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                               : CUBLAS_COMPUTE_32F;
}

cudaDataType_t element_of(Type type)
{
    return type == type_fp16 ? CUDA_R_16F : type == type_bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

} // namespace

LibraryCall library_call(const Cublas::Kind& kind, const recording::Problem& problem)
{
    const kernels::OperandShapes shape = kernels::device_shapes(kind.operation, kind.types, problem);
    const bool by_columns = kind.operation == kernels::Operation::gemm_columns;
    return {.m = static_cast<int>(problem.N),
            .n = static_cast<int>(problem.M),
            .k = static_cast<int>(problem.K),
            .transpose_b = by_columns ? CUBLAS_OP_T : CUBLAS_OP_N,
            .lda = static_cast<int>(shape.A.row_elements()),
            .ldb = by_columns ? static_cast<int>(problem.K) : static_cast<int>(shape.B.row_elements()),
            .element = element_of(kind.types.ab),
            .result = element_of(kind.types.c),
            .compute = compute_of(kind.types.ab)};
}

} // namespace cuda
