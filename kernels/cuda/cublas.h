// cuBLAS, the baseline for speed and the provider of the float64 reference. Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/library.h"
#include "gemm/size.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <cublas_v2.h>

namespace cuda {

class Cublas {
public:
    // Throws kernels::Unavailable with the package to install, or with the reason why cuBLAS does not start.
    explicit Cublas(const Context& context);
    ~Cublas();

    struct Kind {
        kernels::Types types;
        kernels::Operation operation; // gemm or gemm_columns; gemm_columns only in FP32
    };

    // Queues C = alpha A B + beta C (row-major) on the context's stream. The operands have the shapes that
    // device_shapes() returns for the types. Sums are FP32; FP32 operands are multiplied in FP32, not in TF32.
    void gemm(const Kind& kind, const recording::Problem& problem, const Buffer& A, const Buffer& B,
              const Buffer& C) const;
    void dgemm(kernels::Operation operation, const recording::Problem& problem, const Buffer& A, const Buffer& B,
               const Buffer& C) const;

private:
    void sgemm(kernels::Operation operation, const recording::Problem& problem, const Buffer& A, const Buffer& B,
               const Buffer& C) const;
    void mixed(const kernels::Types& types, const recording::Problem& problem, const Buffer& A, const Buffer& B,
               const Buffer& C) const;

    struct Functions;
    std::unique_ptr<Functions> cublas_;
};

// Opens "libcublas" or "libcublasLt" of the toolkit version that the driver supports. Throws kernels::Unavailable with
// the sentence `missing` and the package to install.
Library open_cublas(const Context& context, const std::string& name, const char* missing);

// A multiplication in the terms of cuBLAS and cuBLASLt: m x n = m x k times k x n, stored by columns. A row-major
// matrix is the transpose of such a matrix, and (A B)^T = B^T A^T, so A and B are swapped, and so are M and N.
struct LibraryCall {
    int m, n, k;
    cublasOperation_t transpose_b;  // B stored by columns looks not transposed to cuBLAS, which must transpose it
    int lda, ldb;                   // elements from row to row of A and B
    cudaDataType_t element, result; // types of A and B, and of C
    cublasComputeType_t compute;
};

LibraryCall library_call(const Cublas::Kind& kind, const recording::Problem& problem);

// cuBLASLt gives access to each of the algorithms that NVIDIA's library chooses from. Internal to kernels/cuda.

class CublasLt {
public:
    // Throws kernels::Unavailable with the package to install, or with the reason why cuBLASLt does not start.
    explicit CublasLt(const Context& context);
    ~CublasLt();

    // Returns one function per algorithm that the library offers, in the order of its estimated speed. Each queues C =
    // alpha A B + beta C on the context's stream, like Cublas::gemm. The functions own what they need, except for the
    // matrices and this object.
    std::vector<std::function<void()>> ways(const Cublas::Kind& kind, const recording::Problem& problem,
                                            const Buffer& A, const Buffer& B, const Buffer& C) const;

private:
    struct Functions;
    std::shared_ptr<Functions> lt_;
};

} // namespace cuda
