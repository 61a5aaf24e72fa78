#include "cuda/tensor_map.h"

#include "error.h"

#include <cstring>

namespace cuda {

TensorMap tensor_map(const Context& context, const Buffer& matrix, const kernels::OperandShape& shape, Type type,
                     kernels::TensorBox box)
{
    if (!context.driver().encode_tiled)
        throw kernels::Error(
            "This driver is too old to describe matrices to the tensor memory accelerator; install one "
            "for CUDA 12 or later.");
    static_assert(sizeof(CUtensorMap) == sizeof(TensorMap));
    CUtensorMap map;
    const cuuint64_t extent[] = {shape.cols, shape.rows}; // columns first
    const cuuint64_t row_bytes[] = {shape.row_bytes()};
    const cuuint32_t box_extent[] = {static_cast<cuuint32_t>(box.cols), static_cast<cuuint32_t>(box.rows)};
    const cuuint32_t step[] = {1, 1};
    const CUtensorMapDataType element =
        type == type_bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    CUDA_CHECK(context.driver(), encode_tiled, &map, element, 2, matrix.as<void>(), extent, row_bytes, box_extent, step,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    TensorMap result;
    std::memcpy(result.data(), &map, sizeof map);
    return result;
}

} // namespace cuda
