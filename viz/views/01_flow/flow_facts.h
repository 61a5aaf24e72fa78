// What the data path view has derived of one warp at one of its steps.
#pragma once

#include "viz/analysis/added_up.h"
#include "viz/analysis/fragments.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/values.h"
#include "viz/draw/focus.h"
#include "viz/draw/motion.h"
#include "viz/views/01_flow/memory_rows.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace viz {

// Neighbouring words that hold elements of one matrix: so many of each of so many rows.
struct HeldWords {
    WordPlace first;
    uint32_t words = 0, rows = 1;
    std::size_t array = 0; // the matrix
};

// Follows the contents of shared memory through the block. Null while that is being prepared, beside the frames where it is much.
std::shared_ptr<BlockTiling> flow_tiling(const StageColumn& column, const recording::BlockTrace& block);

struct FlowFacts {
    FlowFacts(const RecordingPtr& recording, const recording::BlockTrace& block, uint32_t warp,
              std::shared_ptr<BlockTiling> of_block);

    std::shared_ptr<BlockTiling> tiling; // flow_tiling() of the block
    std::vector<Phase> phases;           // of the warp
    StepWays ways;
    MemoryRows rows;
    bool lines_below = false; // the rows are lines of global memory: the kernel has no shared memory
    // Of A and B: what the k-tile that is computed on, or will be next, needs.
    std::array<std::vector<CellRect>, 2> slice;
    Lit lit;                           // elements that the step touches, per array
    std::vector<CellRect> thread_tile; // of C, of the selected lane
    std::vector<Cell> results;         // the same, element by element
    std::vector<Cell> warp_results;    // of C, of all lanes of the warp, in order
    std::vector<Cell> stored;          // of C, what the warp has stored by now, in order
    std::vector<HeldWords> held;       // of the rows that are shown, at the step
    // Of shared tiles, which the tensor core reads at the step; their arrays are the tiles.
    std::vector<HeldWords> operand_words;
    std::optional<Fragments> fragments;
    bool operands_elsewhere = false; // they lie in local memory, see RegisterUse
    bool in_registers = false;       // the sums: the lanes that store them add them up, product by product
    double began = 0;                // when the step was come to, in the frame's seconds; see Motion

    // `moving`: words that a new step moves set out now; else they have arrived. Call it in each frame before asking anything.
    void move_to(std::size_t step, uint32_t lane, double seconds, bool moving);

    const Phase& phase() const { return phase_at(phases, *step_); }

    // Nothing too where the sums are in no registers.
    std::optional<uint32_t> added_up_to() const { return added_up_to_; }

    // Of an element of C that a lane of the warp adds up.
    std::optional<double> sum_so_far(const Cell& c) const;
    // What an element of A, B or C holds now: of C that sum, and once it is stored, what was stored.
    std::optional<double> value_now(std::size_t array, const Cell& cell) const;
    // The element of A or B that a cell of a shared tile holds now; an element of a global matrix is its own.
    std::optional<std::pair<std::size_t, Cell>> source_of(std::size_t array, const Cell& cell) const;

private:
    void find_stored();
    void find_held();
    void find_operands();
    void find_slice();

    RecordingPtr recording_;
    const recording::WarpTrace* warp_;
    uint32_t warp_index_;
    std::optional<std::size_t> step_;          // none before the first move
    std::optional<std::size_t> compute_phase_; // that `slice` is of
    std::optional<uint32_t> lane_;
    std::optional<uint32_t> added_up_to_;
    mutable RunningSums sums_;             // remembers how far it has added up
    std::optional<FragmentFinder> finder_; // of the warp
};

} // namespace viz
