// What tensor cores compute, on the registers of a warp. Products are summed one after another in the type of D, from the
// first k on; hardware leaves the order open.
#pragma once

#include "ptx/program.h"

#include <cstddef>
#include <span>

namespace ptx {

void multiply(const Instruction& instruction, std::byte* registers);      // mma
void tile_multiply(const Instruction& instruction, std::byte* registers); // wmma.mma

// Which element of a WMMA tile a lane's i-th one is: row and column. The machine's own choice; only its own loads, stores and
// multiplications see it.
struct TileCell {
    int row = 0, col = 0;
};
TileCell tile_cell(const TileShape& tile, int lane, int i);
int elements_per_lane(const TileShape& tile);
int bits_in_tile(Type type); // of an element, as it lies in a register and in memory

} // namespace ptx
