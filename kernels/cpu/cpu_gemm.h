// C = alpha A B + beta C on the CPU, timed: as a beginner writes it, and as a library does it.
#pragma once

#include "backend.h"

namespace cpu {

// Three nested loops, one core, each result a sum along a row of A and down a column of B. Every row of C costs the same,
// so where all of them take longer than the options allow, some are timed and the rest is reckoned; LibraryRun::rows says
// how many. Throws kernels::Error where even one row takes too long.
kernels::LibraryRun multiply_in_loops(const recording::Problem& problem, const kernels::Operands& operands,
                                      const kernels::BenchOptions& options, std::stop_token stop);

// OpenBLAS, looked for when called, under `names`. Throws kernels::Unavailable naming the package where there is none.
kernels::LibraryRun multiply_with_blas(const recording::Problem& problem, const kernels::Operands& operands,
                                       const kernels::BenchOptions& options, std::stop_token stop,
                                       std::span<const char* const> names = {});

} // namespace cpu
