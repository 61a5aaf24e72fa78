#include "gemm/inputs.h"

#include "gemm/memory.h"

#include <fmt/format.h>

namespace kernels {

Operands input_operands(Operation operation, const recording::Problem& problem, uint32_t seed, recording::Inputs inputs)
{
    const OperandShapes size = shapes(operation, problem);
    // The float64 reference takes twice the memory of C.
    require_memory(fmt::format("M={} N={} K={}", problem.M, problem.N, problem.K), size.bytes() + 2 * size.C.bytes());
    const auto filled = [&](const OperandShape& shape, uint32_t operand) {
        std::vector<float> values(shape.bytes() / sizeof(float)); // an element of thread_coords is two floats
        for (uint64_t i = 0; i < values.size(); ++i)
            values[i] = recording::input_value(inputs, seed, operand, i);
        return values;
    };
    return {filled(size.A, 0), filled(size.B, 1), filled(size.C, 2)};
}

} // namespace kernels
