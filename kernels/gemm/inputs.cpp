#include "gemm/inputs.h"

#include "gemm/memory.h"

#include <fmt/format.h>

namespace kernels {

namespace {

// A counter-based generator (the finalizer of splitmix64): value i of a stream does not depend on the others.
float uniform(uint64_t stream, uint64_t index)
{
    uint64_t bits = (stream << 56) + index * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    return static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f; // 24 bits: exact in a float
}

std::vector<float> random_matrix(uint64_t elements, uint64_t stream)
{
    std::vector<float> result(elements);
    for (uint64_t i = 0; i < elements; ++i)
        result[i] = uniform(stream, i);
    return result;
}

} // namespace

Operands random_operands(Operation operation, const recording::Problem& problem, uint32_t seed)
{
    const OperandShapes size = shapes(operation, problem);
    // The float64 reference is twice as large as C.
    require_memory(fmt::format("M={} N={} K={}", problem.M, problem.N, problem.K), size.bytes() + 2 * size.C.bytes());
    const auto random = [seed](const OperandShape& shape, uint64_t number) {
        return random_matrix(shape.bytes() / sizeof(float), seed * 3 + number);
    };
    return {random(size.A, 0), random(size.B, 1), random(size.C, 2)};
}

} // namespace kernels
