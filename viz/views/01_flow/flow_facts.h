// Facts for the data path view about one warp at one of its steps.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/partial_sums.h"
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

// Adjacent words that hold elements of one matrix: `words` words in each of `rows` rows.
struct HeldWords {
    WordPlace first;
    uint32_t words = 0, rows = 1;
    std::size_t array = 0; // index of the matrix
};

// Returns the tracker of the block's shared memory contents. Returns null while it is being computed, which happens on
// another thread for large blocks.
std::shared_ptr<BlockTiling> flow_tiling(const StageColumn& column, const recording::BlockTrace& block);

// The state of a warp at a step.
struct FlowFacts {
    FlowFacts(const RecordingPtr& recording, const recording::BlockTrace& block, uint32_t warp,
              std::shared_ptr<BlockTiling> of_block);

    std::shared_ptr<BlockTiling> tiling; // flow_tiling() of the block
    std::vector<Phase> phases;           // of the warp
    StepWays transfers;
    MemoryRows rows;
    bool lines_below = false; // the rows are lines of global memory, because the kernel has no shared memory
    // For A and B: the elements that the current or next k-tile needs.
    std::array<std::vector<CellRect>, 2> slice;
    Lit lit;                           // elements that the step touches, per array
    std::vector<CellRect> thread_tile; // part of C that belongs to the selected lane
    std::vector<Cell> results;         // elements of thread_tile
    std::vector<Cell> warp_results;    // elements of C that belong to the warp's lanes, in order
    std::vector<Cell> stored;          // elements of C that the warp has stored so far, in order
    std::vector<HeldWords> held;       // in the rows shown, at the step
    // Words of shared tiles that the tensor core reads at the step. Their arrays are the tiles.
    std::vector<HeldWords> operand_words;
    std::optional<Fragments> fragments;
    bool operands_elsewhere = false; // the operands are in local memory, see RegisterUse
    // True if the lanes that store the sums also accumulate them in registers, product by product.
    bool in_registers = false;
    double began = 0; // time at which the step was entered, in the frame's seconds; see Motion

    // Moves to a step and a lane. If `moving`, the words of a new step start moving now; otherwise they are at their
    // destination. Must be called in each frame before any other function.
    void move_to(std::size_t step, uint32_t lane, double seconds, bool moving);

    const Phase& phase() const { return phase_at(phases, *step_); }

    // Also empty if the sums are not in registers.
    std::optional<uint32_t> summed_up_to() const { return added_up_to_; }

    // Returns the partial sum of an element of C that a lane of the warp accumulates.
    std::optional<double> sum_so_far(const Cell& c) const;
    // Returns the current value of an element of A, B or C. For C this is the partial sum, or the stored value once it
    // is stored.
    std::optional<double> value_now(std::size_t array, const Cell& cell) const;
    // Returns the element of A or B that a cell of a shared tile holds now. An element of a global matrix is returned
    // as is.
    std::optional<std::pair<std::size_t, Cell>> source_of(std::size_t array, const Cell& cell) const;

private:
    void find_stored();
    void find_held();
    void find_operands();
    void find_slice();

    RecordingPtr recording_;
    const recording::WarpTrace* warp_;
    uint32_t warp_index_;
    std::optional<std::size_t> step_;          // empty before the first move_to()
    std::optional<std::size_t> compute_phase_; // the phase that `slice` belongs to
    std::optional<uint32_t> lane_;
    std::optional<uint32_t> added_up_to_;
    mutable RunningSums sums_;             // caches intermediate sums
    std::optional<FragmentFinder> finder_; // of the warp
};

} // namespace viz
