// Maps the elements of the small matrices of ldmatrix, mma and wgmma to the lanes that hold them, as documented in
// NVIDIA's PTX manual. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include <array>
#include <cstdint>
#include <vector>

namespace viz {

// The lane and the position in it that hold an element.
struct Holder {
    uint32_t lane = 0, index = 0; // index: of the element among those that the lane holds of this matrix
    friend bool operator==(const Holder&, const Holder&) = default;
};

// Returns the lane that receives an element of one 8 x 8 matrix of 16-bit elements from ldmatrix. Row r is stored at
// the address of the r-th of the matrix's eight lanes. If transposed, a lane receives elements of one column.
Holder ldmatrix_holder(Cell element, bool transposed);

// Shape of mma.m16n8k16 with 2-byte elements and of m16n8k8 with 4-byte elements: A is 16 x depth, B is depth x 8, the
// sums are 16 x 8.
struct MmaShape {
    uint32_t depth = 16;
    uint32_t packed() const { return depth / 8; } // elements per register
};
inline constexpr uint32_t mma_rows = 16, mma_cols = 8;
MmaShape mma_shape(uint32_t element_bytes);

enum class MmaPart : uint8_t { a, b, sums }; // each 8 columns of a warp's 16 rows of wgmma sums have the same layout
Cell extent_of(MmaShape shape, MmaPart part);
Holder mma_holder(MmaShape shape, MmaPart part, Cell element);

// Returns all elements that a lane holds, by index.
std::vector<Cell> held_by_lane(MmaShape shape, MmaPart part, uint32_t lane);

} // namespace viz
