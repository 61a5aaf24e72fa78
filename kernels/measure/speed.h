// Figures computed from a time: arithmetic per second, and fractions of achievable speed.
#pragma once

#include "backend.h"

#include <optional>

namespace kernels {

struct SpeedFigures {
    std::optional<double> gflops;    // absent for a kernel without arithmetic
    std::optional<double> of_cublas; // 1 means as fast as cuBLAS; absent if cuBLAS was not timed
    std::optional<double> of_best;   // relative to the fastest of cuBLAS's algorithms; absent if it was not timed
    // Fraction of the FP32 units' peak; absent for other types, and if the peak is unknown.
    std::optional<double> of_peak;
    std::optional<double> cublas_gflops; // cuBLAS in FP32
};

SpeedFigures speed_figures(const Job& job, const BenchResult& bench, const recording::Device& device);

} // namespace kernels
