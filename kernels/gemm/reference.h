// The float64 reference for a multiplication's result, and the error relative to it.
#pragma once

#include "gemm/inputs.h"

#include <span>
#include <stop_token>
#include <vector>

namespace kernels {

// Computes the float64 reference on all CPU cores. Both backends can use it.
std::vector<double> cpu_reference(Operation operation, const recording::Problem& problem, const Operands& operands,
                                  std::stop_token stop);

// Returns the larger of two errors, computed in float64: || C - reference || / || reference ||, and 1/16 of the largest
// error of one element in units of the reference's root mean square. The second makes one wrong element among millions
// count. Returns NaN if C contains a NaN, and the absolute error if the reference is zero.
double relative_error(std::span<const float> C, std::span<const double> reference);
double relative_error(std::span<const double> C, std::span<const double> reference);

} // namespace kernels
