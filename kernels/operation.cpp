#include "operation.h"

#include <cmath>

namespace kernels {

const OperationFacts& facts(Operation operation)
{
    static constexpr OperationFacts gemm{.small_size = "128", .large_size = "4096", .no_cublas = {}};
    // Large enough that the vectors do not fit the L2 cache.
    static constexpr OperationFacts vector_add{.small_size = "1000",
                                               .large_size = "67108864",
                                               .uses_k = false,
                                               .is_scaled = false,
                                               .no_cublas = "cuBLAS has no addition of two vectors to compare with."};
    static constexpr OperationFacts thread_coords{.small_size = "6x4",
                                                  .large_size = "4096x4096",
                                                  .uses_k = false,
                                                  .is_scaled = false,
                                                  .no_cublas = "Nothing is multiplied, so cuBLAS has nothing to "
                                                               "compare with."};
    switch (operation) {
    case Operation::vector_add: return vector_add;
    case Operation::thread_coords: return thread_coords;
    case Operation::gemm: break;
    }
    return gemm;
}

OperandShapes shapes(Operation operation, const recording::Problem& p)
{
    switch (operation) {
    case Operation::vector_add: return {{1, p.N}, {1, p.N}, {1, p.N}};
    case Operation::thread_coords: return {{}, {}, {p.M, p.N, 2 * sizeof(float)}};
    case Operation::gemm: break;
    }
    return {{p.M, p.K}, {p.K, p.N}, {p.M, p.N}};
}

recording::Problem used_part(Operation operation, const recording::Problem& problem)
{
    switch (operation) {
    case Operation::vector_add: return {.M = 1, .N = problem.N, .K = 1};
    case Operation::thread_coords: return {.M = problem.M, .N = problem.N, .K = 1};
    case Operation::gemm: break;
    }
    return problem;
}

double operations(Operation operation, const recording::Problem& problem)
{
    switch (operation) {
    case Operation::vector_add: return problem.N;
    case Operation::thread_coords: return 0;
    case Operation::gemm: break;
    }
    return 2.0 * problem.M * problem.N * problem.K;
}

// Rounding errors of a sum of K random products grow like a random walk, with sqrt(K); one rounding is 2^-24. The
// factor 8 leaves room for alpha, beta and other orders of summation; one missing product in one element of 4096^3 exceeds
// it thirty times.
double tolerance(Operation operation, const recording::Problem& problem)
{
    return operation == Operation::thread_coords ? 0 : 8 * 0x1p-24 * std::sqrt(static_cast<double>(problem.K));
}

} // namespace kernels
