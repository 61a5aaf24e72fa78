// Evicts the L2 cache's content. Internal to kernels/cuda.
#pragma once

#include "cuda/compiler.h"
#include "cuda/context.h"

namespace cuda {

class ColdCache {
public:
    ColdCache(const Context& context, const Compiler& compiler);

    // Queues a kernel that evicts everything from the cache, and leaves no dirty lines.
    void operator()() const;

private:
    const Context& context_;
    Kernel kernel_;
    Buffer buffer_, result_;
};

} // namespace cuda
