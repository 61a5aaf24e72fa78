// What a time means: arithmetic per second, and shares of what could be had.
#pragma once

#include "backend.h"

#include <optional>

namespace kernels {

struct SpeedFigures {
    std::optional<double> gflops;        // absent for a kernel without arithmetic
    std::optional<double> of_cublas;     // 1: as fast; absent where cuBLAS was not timed beside it
    std::optional<double> of_best;       // of the fastest of cuBLAS's algorithms; absent likewise
    std::optional<double> of_peak;       // of the FP32 units; absent for other types, and where the peak is not known
    std::optional<double> cublas_gflops; // of FP32
};

SpeedFigures speed_figures(const Job& job, const BenchResult& bench, const recording::Device& device);

} // namespace kernels
