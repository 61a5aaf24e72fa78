// The boxes that bulk copies move, and the operands that the tensor cores read by themselves. No lane's addresses say
// them: they are derived from the recorded corners and from the extents of the shared tiles. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/ownership.h"

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace viz {

// One copy: two neighbouring steps, its read (bulk_load) and its write (bulk_store).
struct BulkCopy {
    std::size_t step = 0; // of the write; its read is the step before
    uint8_t from = 0, to = 0;
    CellRect source, target; // of one size; what is no tile may reach out of its matrix, where zeros are copied
};

// Of one warp. A tile that one copy fills, or copies back, is its box. Where several fill a tile, each begins where the one
// before ends; their place in global memory moves along with that in the tile.
std::vector<BulkCopy> bulk_copies(const recording::Recording& recording, const recording::WarpTrace& warp);

// What a wgmma reads: two neighbouring steps, first the operand with the 64 rows of the instruction. Where that is A, recorded are
// its first row and the first k of B, of which all columns are read. Where it is B, whose tiles stand behind A's, the product is
// turned: recorded are the first k and column of B, of which 64 are read, and of A all rows are. 16 k (8 with elements of 4
// bytes) are what the instruction has. In a recording of any kernel each operand starts where its descriptor does, and its
// instruction says how it lies. Nothing for another step.
struct GroupOperands {
    uint8_t a = 0, b = 0; // of the instruction
    CellRect a_cells, b_cells;
    uint32_t columns = 0; // of the instruction's b and its sums
    uint32_t depth = 0;
    bool turned = false; // its sums are the transpose of a part of C

    uint32_t rows_of_c() const { return turned ? columns : group_rows; }
    uint32_t cols_of_c() const { return turned ? group_rows : columns; }
    static constexpr uint32_t group_rows = 64; // m64
};
std::optional<GroupOperands> group_operands(const recording::Recording& recording, const recording::WarpTrace& warp,
                                            std::size_t step);

// The elements that a step touches, whoever carries it out: those of the lanes, a box, an operand. `bulk`: of its warp.
std::vector<Cell> cells_of_step(const recording::Recording& recording, const recording::WarpTrace& warp,
                                std::size_t step, const Elements& elements, const std::vector<BulkCopy>& bulk);

} // namespace viz
