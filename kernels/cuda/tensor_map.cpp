#include "cuda/tensor_map.h"

#include "error.h"

#include <cstring>

namespace cuda {

TensorMap tensor_map(const Context& context, const Buffer& matrix, const MappedMatrix& mapped)
{
    if (!context.driver().encode_tiled)
        throw kernels::Error(
            "This driver is too old to describe matrices to the tensor memory accelerator; install one "
            "for CUDA 12 or later.");
    static_assert(sizeof(CUtensorMap) == sizeof(TensorMap));
    CUtensorMap map;
    const cuuint64_t extent[] = {mapped.cols, mapped.rows}; // columns first
    const cuuint64_t row_bytes[] = {mapped.row_bytes};
    const cuuint32_t box[] = {mapped.box_cols, mapped.box_rows};
    const cuuint32_t step[] = {1, 1};
    CUDA_CHECK(context.driver(), encode_tiled, &map, mapped.element, 2, matrix.as<void>(), extent, row_bytes, box, step,
               CU_TENSOR_MAP_INTERLEAVE_NONE, mapped.swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    TensorMap result;
    std::memcpy(result.data(), &map, sizeof map);
    return result;
}

TensorMap tensor_map(const Context& context, const Buffer& matrix, const kernels::OperandShape& shape, Type type,
                     kernels::TensorBox box)
{
    return tensor_map(
        context, matrix,
        {.rows = shape.rows,
         .cols = shape.cols,
         .row_bytes = shape.row_bytes(),
         .box_rows = static_cast<uint32_t>(box.rows),
         .box_cols = static_cast<uint32_t>(box.cols),
         .element = type == type_bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
         .swizzle = CU_TENSOR_MAP_SWIZZLE_128B});
}

} // namespace cuda
