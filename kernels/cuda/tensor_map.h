// What the tensor memory accelerator needs to know of a matrix. Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "gemm/operation.h"
#include "stage.h"

#include <array>

namespace cuda {

using TensorMap = std::array<std::byte, kernels::tensor_map_bytes>;

// Rows of a matrix, and what one copy takes of it.
struct MappedMatrix {
    uint64_t rows = 0, cols = 0, row_bytes = 0;
    uint32_t box_rows = 0, box_cols = 0;
    CUtensorMapDataType element;
    CUtensorMapSwizzle swizzle;
};

// Of the matrix that lies there; what lies outside of it is read as zeros. Throws kernels::Error where the driver refuses.
TensorMap tensor_map(const Context& context, const Buffer& matrix, const MappedMatrix& mapped);

// Boxes of 16-bit elements whose rows are swizzled in 128 bytes, from the matrix of that shape; else the same.
TensorMap tensor_map(const Context& context, const Buffer& matrix, const kernels::OperandShape& shape, Type type,
                     kernels::TensorBox box);

} // namespace cuda
