// cuBLASLt: the algorithms that NVIDIA's library chooses among, one by one. Internal to kernels/cuda.
#pragma once

#include "cuda/cublas.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace cuda {

class CublasLt {
public:
    // Throws kernels::Unavailable with the package that has it, or why it does not start.
    explicit CublasLt(const Context& context);
    ~CublasLt();

    // What queues C = alpha A B + beta C on the context's stream, as Cublas::gemm has it: once for each way in which the library
    // says it can, those that it thinks fastest first. They hold on to what they need, but not to the matrices, nor to this.
    std::vector<std::function<void()>> ways(const Cublas::Kind& kind, const recording::Problem& problem,
                                            const Buffer& A, const Buffer& B, const Buffer& C) const;

private:
    struct Functions;
    std::shared_ptr<Functions> lt_;
};

} // namespace cuda
