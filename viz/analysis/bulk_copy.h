// Derives the boxes that bulk copies move and the operands that tensor cores read directly. They are in no lane's
// addresses, but follow from the recorded corners and the sizes of the shared tiles. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/ownership.h"

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace viz {

// One bulk copy: two consecutive steps, its read (bulk_load) and its write (bulk_store).
struct BulkCopy {
    std::size_t step = 0; // of the write; the read is the step before
    uint8_t from = 0, to = 0;
    // Both have the same size. The source may extend beyond its matrix; those elements are copied as zeros.
    CellRect source, target;
};

// Returns the bulk copies of a warp. The box of a copy that fills a tile alone, or copies it back, is the whole tile.
// If several copies fill a tile, each begins where the previous one ends. The source box moves along with the target
// box.
std::vector<BulkCopy> bulk_copies(const recording::Recording& recording, const recording::WarpTrace& warp);

// The operands of a wgmma, which is recorded as two consecutive steps. The operand of the first step has the
// instruction's 64 rows.
//
// If that operand is A, the recording has its first row and the first k of B, and all columns of B are read. If it is
// B, the product is transposed: the recording has the first k and the first of 64 columns of B, and all rows of A are
// read. An instruction covers 16 k, or 8 with elements of 4 bytes. In kernels outside the ladder each operand starts at
// the address in its descriptor, and the instruction determines its layout.
struct GroupOperands {
    uint8_t a = 0, b = 0; // operands of the instruction
    CellRect a_cells, b_cells;
    uint32_t columns = 0; // of the instruction's b and of its sums
    uint32_t depth = 0;
    bool turned = false; // the sums are transposed relative to C

    uint32_t rows_of_c() const { return turned ? columns : group_rows; }
    uint32_t cols_of_c() const { return turned ? group_rows : columns; }
    static constexpr uint32_t group_rows = 64; // m64
};
// Returns the operands of the wgmma at a step, or nothing if the step is no wgmma.
std::optional<GroupOperands> group_operands(const recording::Recording& recording, const recording::WarpTrace& warp,
                                            std::size_t step);

// Returns the elements that a step touches: those of its lanes, of a copied box, or of an operand. `bulk` is
// bulk_copies() of the warp.
std::vector<Cell> cells_of_step(const recording::Recording& recording, const recording::WarpTrace& warp,
                                std::size_t step, const Elements& elements, const std::vector<BulkCopy>& bulk);

} // namespace viz
