// Fills in the kernels' arguments for a problem, and says which operation a kernel with these arguments computes. A
// stage's description names the type of its arguments; overload resolution picks the functions by a null pointer to
// that type.
#pragma once

#include "device/gemm.h"
#include "device/tma_gemm.h"
#include "stage.h"

#include <cstring>
#include <type_traits>

namespace kernels {

using recording::Problem;

template <class Arguments>
Operation operation(Arguments* /*of*/)
{
    return std::is_same_v<Arguments, GemmColumns>   ? Operation::gemm_columns
           : std::is_same_v<Arguments, Vectors>     ? Operation::vector_add
           : std::is_same_v<Arguments, Coordinates> ? Operation::thread_coords
                                                    : Operation::gemm;
}

inline Gemm make_arguments(Gemm*, const Problem& p, const OperandShapes&, const Pointers& operands)
{
    return {static_cast<int>(p.M),
            static_cast<int>(p.N),
            static_cast<int>(p.K),
            p.alpha,
            p.beta,
            static_cast<const float*>(operands.A),
            static_cast<const float*>(operands.B),
            operands.C};
}

inline SplitGemm make_arguments(SplitGemm*, const Problem& p, const OperandShapes& shape, const Pointers& operands)
{
    return {make_arguments(static_cast<Gemm*>(nullptr), p, shape, operands), operands.workspace};
}

inline TensorGemm make_arguments(TensorGemm*, const Problem& p, const OperandShapes& shape, const Pointers& operands)
{
    return {static_cast<int>(p.M),
            static_cast<int>(p.N),
            static_cast<int>(p.K),
            static_cast<int>(shape.A.row_elements()),
            static_cast<int>(shape.B.row_elements()),
            p.alpha,
            p.beta,
            operands.A,
            operands.B,
            operands.C};
}

inline TmaGemm make_arguments(TmaGemm*, const Problem& p, const OperandShapes& shape, const Pointers& operands)
{
    TmaGemm result{make_arguments(static_cast<TensorGemm*>(nullptr), p, shape, operands), operands.workspace, {}, {}};
    std::memcpy(&result.a_map, operands.tensor_maps, tensor_map_bytes);
    std::memcpy(&result.b_map, operands.tensor_maps + tensor_map_bytes, tensor_map_bytes);
    return result;
}

inline GemmColumns make_arguments(GemmColumns*, const Problem& p, const OperandShapes& shape, const Pointers& operands)
{
    return {make_arguments(static_cast<Gemm*>(nullptr), p, shape, operands)};
}

inline Vectors make_arguments(Vectors*, const Problem& p, const OperandShapes&, const Pointers& operands)
{
    return {static_cast<int>(p.N), static_cast<const float*>(operands.A), static_cast<const float*>(operands.B),
            operands.C};
}

inline Coordinates make_arguments(Coordinates*, const Problem& p, const OperandShapes&, const Pointers& operands)
{
    return {static_cast<int>(p.M), static_cast<int>(p.N), operands.C};
}

} // namespace kernels
