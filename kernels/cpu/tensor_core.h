// Matrix multiplication by a warp's fragments: mma and WMMA.
#pragma once

#include "device/element.h"

#include <array>

namespace cpu {

// Computes mma from the fragments that the lanes of a warp hold, in the layout of the PTX manual.

// One lane's part of the 16 x 8 sums, of A (16 x 16 elements of 2 bytes, or 16 x 8 of 4) and of B.
struct Fragment {
    float* d;          // [4]
    const uint32_t* a; // [4]
    const uint32_t* b; // [2]
};

// d += a * b, in FP32.
template <class Element>
void multiply(const std::array<Fragment, 32>& lanes);

} // namespace cpu
