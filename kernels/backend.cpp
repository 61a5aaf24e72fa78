#include "backend.h"

namespace kernels {

Counters Backend::counters(const Job&, std::stop_token)
{
    throw Unavailable(
        "Counters are in NVIDIA GPUs only: a CPU's say nothing about the kernel. What the addresses cost is "
        "derived from the recording, which needs no GPU.");
}

LibraryRun Backend::cublas(Precision, const recording::Problem&, const Operands&, const BenchOptions&, std::stop_token)
{
    throw Unavailable("cuBLAS runs on an NVIDIA GPU only.");
}

} // namespace kernels
