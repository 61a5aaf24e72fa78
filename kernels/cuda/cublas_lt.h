// cuBLASLt gives access to each of the algorithms that NVIDIA's library chooses from. Internal to kernels/cuda.
#pragma once

#include "cuda/cublas.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace cuda {

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
