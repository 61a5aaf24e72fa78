// The arguments of a multiplication in cuBLAS and cuBLASLt. Internal to these two.
#pragma once

#include "cuda/cublas.h"

#include <cublas_v2.h>

namespace cuda {

// Describes m x n = m x k times k x n, stored by columns. A row-major matrix is the transpose of such a matrix, and (A
// B)^T = B^T A^T, so A and B are swapped, and so are M and N.
struct LibraryCall {
    int m, n, k;
    cublasOperation_t transpose_b;  // cuBLAS sees a B stored by columns as not transposed, so it has to transpose it
    int lda, ldb;                   // elements from row to row of A and B
    cudaDataType_t element, result; // types of A and B, and of C
    cublasComputeType_t compute;
};

LibraryCall library_call(const Cublas::Kind& kind, const recording::Problem& problem);

} // namespace cuda
