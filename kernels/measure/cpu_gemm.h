// Times C = alpha A B + beta C on the CPU: with simple loops, and with a library.
#pragma once

#include "backend.h"

namespace kernels {

enum class BlasThreads { all, one }; // on all CPU cores, or on one

// Throw before operands are created: Error for a size that would take too long, Unavailable if there is no library.
void require_looped(const recording::Problem& problem);
void require_blas(const recording::Problem& problem, BlasThreads threads);

// Multiplies with three nested loops on one core; each result is a sum along a row of A and down a column of B. Every
// row of C takes the same time, so if all rows would take longer than the options allow, only some are timed and the
// total is extrapolated. LibraryRun::rows has their number, and LibraryRun::C holds only these rows. Throws like
// require_looped().
LibraryRun multiply_in_loops(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                             std::stop_token stop);

// Multiplies with OpenBLAS, which is looked up on each call under one of `names`. Throws Unavailable with the package
// to install if it is missing. The number of threads is a global setting of the library, so only one call may run at a
// time; it is restored afterwards.
LibraryRun multiply_with_blas(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                              BlasThreads threads, std::stop_token stop, std::span<const char* const> names = {});

} // namespace kernels
