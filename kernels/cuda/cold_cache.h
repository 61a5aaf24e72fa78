// Empties the L2 cache. Internal to kernels/cuda.
#pragma once

#include "cuda/compiler.h"
#include "cuda/context.h"

namespace cuda {

class ColdCache {
public:
    ColdCache(const Context& context, const Compiler& compiler);

    // Queued: drives everything out of the cache, and leaves nothing there that would have to be written back later.
    void operator()() const;

private:
    const Context& context_;
    Kernel kernel_;
    Buffer buffer_, result_;
};

} // namespace cuda
