// Which lane of a warp holds which element of the small matrices that ldmatrix, mma and wgmma work on: the layouts that
// NVIDIA's PTX manual documents. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include <array>
#include <cstdint>
#include <vector>

namespace viz {

struct Holder {
    uint32_t lane = 0, index = 0; // index: of the element among those that the lane holds of this matrix
    friend bool operator==(const Holder&, const Holder&) = default;
};

// Of one 8 x 8 matrix of 16-bit elements that ldmatrix hands out. Row r is what the r-th of its eight lanes points at;
// transposed, a lane receives elements of one column.
Holder ldmatrix_holder(Cell element, bool transposed);

// mma.m16n8k16 with elements of 2 bytes, and m16n8k8 with elements of 4: A is 16 x depth, B depth x 8, sums 16 x 8.
struct MmaShape {
    uint32_t depth = 16;
    uint32_t packed() const { return depth / 8; } // elements per register
};
inline constexpr uint32_t mma_rows = 16, mma_cols = 8;
MmaShape mma_shape(uint32_t element_bytes);

enum class MmaPart : uint8_t { a, b, sums }; // the sums of a warp's 16 rows of a wgmma lie so, too, in each 8 columns
Cell extent_of(MmaShape shape, MmaPart part);
Holder mma_holder(MmaShape shape, MmaPart part, Cell element);

// All elements that a lane holds, by index.
std::vector<Cell> held_by_lane(MmaShape shape, MmaPart part, uint32_t lane);

} // namespace viz
