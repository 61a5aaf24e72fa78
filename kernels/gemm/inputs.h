// What a multiplication is given.
#pragma once

#include "gemm/operation.h"
#include "recording/inputs.h"

#include <cstdint>
#include <vector>

namespace kernels {

// Host matrices, row-major: A M x K, B K x N, C M x N, or as their operation has them (see operation.h). Always FP32;
// what a kernel of another type gets is made of them by the backend (see device_form.h).
struct Operands {
    std::vector<float> A, B, C;
};

// Each element as recording/inputs.h says. C is filled too, so that beta != 0 is tested.
// Throws Error when they and a float64 reference do not fit the free memory.
Operands input_operands(Operation operation, const recording::Problem& problem, uint32_t seed,
                        recording::Inputs inputs = recording::Inputs::random);

} // namespace kernels
