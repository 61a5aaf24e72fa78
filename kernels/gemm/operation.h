// What a rung computes, and what follows from it for whoever runs it: most compute C = alpha*A*B + beta*C, the two before
// them show how threads are counted.
#pragma once

#include "gemm/element_type.h"
#include "recording/recording.h"

#include <string_view>

namespace kernels {

enum class Operation {
    gemm,         // C[M x N] = alpha * A[M x K] * B[K x N] + beta * C
    gemm_columns, // the same with B stored column after column, that is transposed
    vector_add,   // C = A + B, vectors of N elements
    thread_coords // C[M x N]: each element a pair, the (column, row) of the thread that wrote it; reads nothing
};

struct OperationFacts {
    bool is_gemm = true;
    std::string_view small_size, large_size; // to record and to time at, as typed; "6x4" is M x N
    bool uses_k = true;                      // whether a size has a K
    bool is_scaled = true;                   // has alpha and beta; C is read where beta is not 0
    std::string_view no_cublas;              // why cuBLAS has nothing to compare with; empty where it has
};
const OperationFacts& facts(Operation operation);

struct OperandShape {
    uint32_t rows = 0, cols = 0; // none: the operation has no such operand
    uint32_t element_bytes = sizeof(float);
    uint32_t pitch = 0;      // elements from row to row; 0: cols
    bool by_columns = false; // one column is stored after another
    uint64_t elements() const { return uint64_t{rows} * cols; }
    uint32_t row_elements() const { return pitch == 0 ? cols : pitch; }
    uint64_t row_bytes() const { return uint64_t{row_elements()} * element_bytes; }
    uint64_t bytes() const { return rows * row_bytes(); }
};
struct OperandShapes {
    OperandShape A, B, C;
    uint64_t bytes() const { return A.bytes() + B.bytes() + C.bytes(); }
};
// On the host: FP32, rows without a gap.
OperandShapes shapes(Operation operation, const recording::Problem& problem);
// As a kernel of those types reads them. Other types than FP32 are for tensor cores: rows of A and B then start on 16-byte
// boundaries.
OperandShapes device_shapes(Operation operation, const Types& types, const recording::Problem& problem);

// The problem with what the operation does not use at its default.
recording::Problem used_part(Operation operation, const recording::Problem& problem);

// Floating-point operations: 2 M N K, N additions, or none.
double operations(Operation operation, const recording::Problem& problem);

// Largest relative_error (see gemm/reference.h) that counts as right, against float64 of the operands as the kernel gets them:
// what rounding of the sums can make over K products, and of C to its type; coordinates have none.
double tolerance(Operation operation, const recording::Problem& problem, const Types& types = type_fp32);

} // namespace kernels
