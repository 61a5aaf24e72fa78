#include "backend.h"

namespace kernels {

LibraryRun Backend::cublas(Precision, const recording::Problem&, const Operands&, const BenchOptions&, std::stop_token)
{
    throw Unavailable("cuBLAS runs on an NVIDIA GPU only.");
}

} // namespace kernels
