// A multiplication as cuBLAS and cuBLASLt take it. Internal to the two.
#pragma once

#include "cuda/cublas.h"

#include <cublas_v2.h>

namespace cuda {

// Column after column: m x n = m x k times k x n. Row-major matrices are the transposes of such, and (A B)^T = B^T A^T: so the
// operands change places, and M and N too.
struct LibraryCall {
    int m, n, k;
    cublasOperation_t
        transpose_b; // a B stored column after column is no transpose to cuBLAS, so it has to be turned around
    int lda, ldb;    // elements from row to row of our A and B
    cudaDataType_t element, result; // types of A and B, and of C
    cublasComputeType_t compute;
};

LibraryCall library_call(const Cublas::Kind& kind, const recording::Problem& problem);

} // namespace cuda
