// Problem sizes: as text, as on the command line and in files, and drawn at random.
#pragma once

#include "gemm/element_type.h"
#include "recording/recording.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

// The operations that stages compute, and their properties. Most stages compute C = alpha*A*B + beta*C; the first two
// show how threads are numbered.

enum class Operation {
    gemm,         // C[M x N] = alpha * A[M x K] * B[K x N] + beta * C
    gemm_columns, // the same with B stored by columns, that is, transposed
    vector_add,   // C = A + B for vectors of N elements
    thread_coords // each element of C[M x N] is the pair (column, row) of the thread that wrote it; no inputs
};

struct OperationFacts {
    bool is_gemm = true;
    std::string_view small_size, large_size; // default sizes for recording and for timing, as typed; "6x4" is M x N
    bool uses_k = true;                      // whether a size has a K
    bool is_scaled = true;                   // has alpha and beta; C is read if beta is not 0
    std::string_view no_cublas;              // why there is no cuBLAS comparison; empty if there is one
};
const OperationFacts& facts(Operation operation);

struct OperandShape {
    uint32_t rows = 0, cols = 0; // 0 x 0 if the operation has no such operand
    uint32_t element_bytes = sizeof(float);
    uint32_t pitch = 0;      // elements from row to row; 0: cols
    bool by_columns = false; // stored column by column
    uint64_t elements() const { return uint64_t{rows} * cols; }
    uint32_t row_elements() const { return pitch == 0 ? cols : pitch; }
    uint64_t row_bytes() const { return uint64_t{row_elements()} * element_bytes; }
    uint64_t bytes() const { return rows * row_bytes(); }
};
struct OperandShapes {
    OperandShape A, B, C;
    uint64_t bytes() const { return A.bytes() + B.bytes() + C.bytes(); }
};
// Returns the operands' shapes on the host: FP32, rows without padding.
OperandShapes shapes(Operation operation, const recording::Problem& problem);
// Returns the shapes that a kernel with these types reads. For types other than FP32 (tensor cores), the rows of A and
// B start on 16-byte boundaries.
OperandShapes device_shapes(Operation operation, const Types& types, const recording::Problem& problem);

// Resets the parts of the problem that the operation does not use to their defaults.
recording::Problem used_part(Operation operation, const recording::Problem& problem);

// Returns the number of floating-point operations: 2 M N K, N additions, or none.
double operations(Operation operation, const recording::Problem& problem);

// Returns the largest relative_error (see gemm/inputs.h) of a correct result, against float64 of the operands as the
// kernel receives them. It covers the rounding of sums over K products and of C to its type; coordinates must be exact.
double tolerance(Operation operation, const recording::Problem& problem, const Types& types = type_fp32);

// Parses "N" (a cube, or N elements for vector_add), "MxNxK", or "MxN" if the operation has no K. Throws Error that
// says what is expected.
recording::Problem parse_size(const std::string& text, Operation operation);

std::string size_name(const recording::Problem& problem, Operation operation);

// Random problem sizes, for measuring at sizes that nothing was tuned for.

// Returns the first `count` sizes for this seed, the same on every machine. Of every five sizes, four have sides from
// 64 to 8192, uniform in their logarithms. The fifth alternates between tall (M large, N small), wide, and long in K
// (up to 65,536). Size by size, the sides alternate between multiples of 64, multiples of 8 and unrounded.
std::vector<recording::Problem> random_shapes(std::size_t count, uint32_t seed);

} // namespace kernels
