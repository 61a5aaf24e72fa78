// The elements of A and B in each type.
#pragma once

#include "device/platform.h"
#include "device/type.h"

// Kernels only move 16-bit numbers and pass them to the tensor cores; the host rounds (kernels/gemm/rounding.h).
struct Half { // FP16: 5 bits of exponent, 10 of mantissa
    uint16_t bits;
};
struct Bfloat16 { // BF16: 8 bits of exponent as FP32, 7 of mantissa
    uint16_t bits;
};
struct Tf32 { // FP32 of which tensor cores use 10 bits of mantissa; stored in 32 bits, the other bits are zero
    float value;
};

// Returns the bits that the tensor core expects.
__device__ inline uint32_t bits_of(Tf32 element)
{
    union {
        float value;
        uint32_t bits;
    } both{element.value};
    return both.bits;
}

template <int type>
struct ElementOf;
template <>
struct ElementOf<type_fp32> {
    using Is = float;
};
template <>
struct ElementOf<type_tf32> {
    using Is = Tf32;
};
template <>
struct ElementOf<type_fp16> {
    using Is = Half;
};
template <>
struct ElementOf<type_bf16> {
    using Is = Bfloat16;
};
template <int type>
using Element = typename ElementOf<type>::Is;
