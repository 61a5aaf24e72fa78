// The operands of a multiplication.
#pragma once

#include "gemm/operation.h"
#include "recording/inputs.h"

#include <cstdint>
#include <vector>

namespace kernels {

// Host matrices, row-major: A is M x K, B is K x N, C is M x N, or as their operation defines them (see operation.h).
// They are always FP32; for a kernel of another type the backend converts them (see device_form.h).
struct Operands {
    std::vector<float> A, B, C;
};

// Fills the operands as recording/inputs.h defines. C is filled too, so that beta != 0 is tested. Throws Error if the
// operands and a float64 reference do not fit in free memory.
Operands input_operands(Operation operation, const recording::Problem& problem, uint32_t seed,
                        recording::Inputs inputs = recording::Inputs::random);

} // namespace kernels
