// cuBLAS, the baseline for speed and the provider of the float64 reference. Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/library.h"
#include "gemm/operation.h"

#include <memory>
#include <string>

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

} // namespace cuda
