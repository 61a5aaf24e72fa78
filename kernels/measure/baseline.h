// The baselines that the ladder is compared with: NVIDIA's library, and the same multiplication on a CPU.
#pragma once

#include "backend.h"

namespace kernels {

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

// Throws Unavailable, saying what to install, if the library is missing; throws Error for a size that would take too
// long.
BaselineResult bench_baseline(Backend& backend, const Baseline& baseline, const recording::Problem& problem,
                              const BenchOptions& options, std::stop_token stop);

} // namespace kernels
