// NVIDIA's own matrix multiplication: the measure of speed, and the float64 reference. Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "cuda/library.h"
#include "gemm/operation.h"

#include <memory>
#include <string>

namespace cuda {

class Cublas {
public:
    // Throws kernels::Unavailable with the package that has it, or why it does not start.
    explicit Cublas(const Context& context);
    ~Cublas();

    struct Kind {
        kernels::Types types;
        kernels::Operation operation; // gemm or gemm_columns; the latter in FP32 only
    };

    // C = alpha A B + beta C, row-major, queued on the context's stream. The operands as device_shapes says for the types; the
    // sums are FP32. FP32 is true FP32: no TF32.
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

// "libcublas" or "libcublasLt", of the toolkit that the driver knows. Throws kernels::Unavailable: `missing`, and the package
// that has it.
Library open_cublas(const Context& context, const std::string& name, const char* missing);

} // namespace cuda
