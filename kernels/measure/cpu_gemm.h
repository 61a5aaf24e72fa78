// C = alpha A B + beta C on the CPU, timed: as a beginner writes it, and as a library does it.
#pragma once

#include "backend.h"

namespace kernels {

enum class BlasThreads { all, one }; // of the CPU's cores

// Throw Error for a size that would take too long, Unavailable where there is no library: before operands are made.
void require_looped(const recording::Problem& problem);
void require_blas(const recording::Problem& problem, BlasThreads threads);

// Three nested loops, one core, each result a sum along a row of A and down a column of B. Every row of C costs the same,
// so where all of them take longer than the options allow, some are timed and the rest is reckoned; LibraryRun::rows says
// how many, and LibraryRun::C has only these. Throws as require_looped does.
LibraryRun multiply_in_loops(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                             std::stop_token stop);

// OpenBLAS, looked for when called, under `names`. Throws Unavailable naming the package where there is none. How many threads
// it takes belongs to the library of this process: one run at a time, after which it is as it was.
LibraryRun multiply_with_blas(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                              BlasThreads threads, std::stop_token stop, std::span<const char* const> names = {});

} // namespace kernels
