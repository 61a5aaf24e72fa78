// Tensor maps: descriptions of a matrix for the tensor memory accelerator (TMA). Internal to kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "gemm/size.h"
#include "stage.h"

#include <array>

namespace cuda {

using TensorMap = std::array<std::byte, kernels::tensor_map_bytes>;

// The shape of a matrix, and of the box that one copy transfers.
struct MappedMatrix {
    uint64_t rows = 0, cols = 0, row_bytes = 0;
    uint32_t box_rows = 0, box_cols = 0;
    CUtensorMapDataType element;
    CUtensorMapSwizzle swizzle;
};

// Returns the map of a matrix. Elements outside it read as zeros. Throws kernels::Error if the driver refuses.
TensorMap tensor_map(const Context& context, const Buffer& matrix, const MappedMatrix& mapped);

// Does the same for boxes of 16-bit elements from a matrix of this shape. Rows are swizzled within 128 bytes.
TensorMap tensor_map(const Context& context, const Buffer& matrix, const kernels::OperandShape& shape, Type type,
                     kernels::TensorBox box);

} // namespace cuda
