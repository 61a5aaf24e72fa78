// The baselines that the ladder is compared with: NVIDIA's library, and the same multiplication on a CPU.
#pragma once

#include "backend.h"

namespace kernels {

// Times C = alpha A B + beta C on the CPU, with simple loops and with a library.

enum class BlasThreads { all, one }; // on all CPU cores, or on one

// Both throw before operands are created: Error if the size would take too long, Unavailable if there is no library.
void require_looped(const recording::Problem& problem);
void require_blas(const recording::Problem& problem, BlasThreads threads);

// Multiplies with three nested loops on one core. Each result is a sum along a row of A and down a column of B. Every
// row of C takes the same time. If all rows would take longer than the options allow, only some are timed and the total
// is extrapolated. LibraryRun::rows has their number, and LibraryRun::C holds only these rows. Throws the same errors
// as require_looped().
LibraryRun multiply_in_loops(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                             std::stop_token stop);

// Multiplies with OpenBLAS, which is looked up on each call under one of `names`. Throws Unavailable with the package
// to install if it is missing. The number of threads is a global setting of the library, so only one call may run at a
// time; it is restored afterwards.
LibraryRun multiply_with_blas(const recording::Problem& problem, const Operands& operands, const BenchOptions& options,
                              BlasThreads threads, std::stop_token stop, std::span<const char* const> names = {});

struct Baseline {
    enum class Runner { cublas, loop, blas, blas_on_one };

    std::string_view slug;  // "cublas_tf32"
    std::string_view title; // "cuBLAS TF32"
    std::string_view idea;  // one line
    Runner runner;
    Precision precision;

    bool needs_gpu() const { return runner == Runner::cublas; }
};

// Returns the baselines in display order.
std::span<const Baseline> baselines();
const Baseline* find_baseline(std::string_view slug); // null if there is none with this slug

struct BaselineResult {
    Timing timing;
    double gflops = 0;
    double relative_error = 0; // against float64 of the operands as the library receives them, over `rows_checked` rows
    double total_error = 0;    // against float64 of the FP32 operands
    double tolerance = 0;
    uint32_t rows_timed = 0; // rows of C that were timed; if fewer than M, the total time is extrapolated from them
    uint32_t rows_checked = 0;

    bool right() const { return relative_error <= tolerance; } // false for NaN
};

// Throws Unavailable, saying what to install, if the library is missing, and Error if the size would take too long.
BaselineResult bench_baseline(Backend& backend, const Baseline& baseline, const recording::Problem& problem,
                              const BenchOptions& options, std::stop_token stop);

} // namespace kernels
