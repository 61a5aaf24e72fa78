// What a multiplication's result must be near: float64, and how near it is.
#pragma once

#include "gemm/inputs.h"

#include <span>
#include <stop_token>
#include <vector>

namespace kernels {

// The CPU's float64 reference, on all cores. Both backends can use it.
std::vector<double> cpu_reference(Operation operation, const recording::Problem& problem, const Operands& operands,
                                  std::stop_token stop);

// The larger of || C - reference || / || reference || and 1/16 of the largest error of one element in units of the
// reference's root mean square, so that one wrong element among millions counts; in float64. NaN if C has a NaN;
// absolute where the reference is zero.
double relative_error(std::span<const float> C, std::span<const double> reference);
double relative_error(std::span<const double> C, std::span<const double> reference);

} // namespace kernels
