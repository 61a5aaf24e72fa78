// What the data path view has derived for one stage at one step; kept until another step, warp or recording is looked at.
#pragma once

#include "viz/analysis/added_up.h"
#include "viz/analysis/fragments.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/values.h"
#include "viz/draw/background.h"
#include "viz/draw/focus.h"
#include "viz/views/01_flow/memory_rows.h"
#include "viz/views/01_flow/motion.h"

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

struct FlowFacts {
    std::unique_ptr<BlockTiling> tiling;
    std::vector<Phase> phases; // of the warp
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

    // `moving`: words that a new step moves set out now; else they have arrived. False: what follows from the whole block is
    // still being prepared, beside the frames where it is much, and nothing else here may be used.
    bool update(const ShownStage& stage, const Focus& focus, uint32_t lane, double seconds, bool moving);

    const Phase& phase() const { return phase_at(phases, step_); }

    // Nothing too where the sums are in no registers.
    std::optional<uint32_t> added_up_to() const { return added_up_to_; }

    // Of an element of C that a lane of the warp adds up.
    std::optional<double> sum_so_far(const Cell& c) const;
    // What an element of A, B or C holds now: of C that sum, and once it is stored, what was stored.
    std::optional<double> value_now(std::size_t array, const Cell& cell) const;
    // The element of A or B that a cell of a shared tile holds now; an element of a global matrix is its own.
    std::optional<std::pair<std::size_t, Cell>> source_of(std::size_t array, const Cell& cell) const;

private:
    using Prepared = std::unique_ptr<BlockTiling>;

    bool prepare(const std::shared_ptr<const recording::Recording>& recording, const recording::BlockTrace& block);
    void find_stored();
    void find_held();
    void find_operands();
    void find_slice(std::size_t warp);
    void follow_warp(const Focus& focus);

    std::shared_ptr<const recording::Recording> recording_;
    const recording::WarpTrace* warp_ = nullptr;
    std::size_t step_ = 0;
    std::optional<std::size_t> compute_phase_; // that `slice` is of
    std::optional<uint32_t> lane_;
    std::optional<uint32_t> added_up_to_;
    std::unique_ptr<RunningSums> sums_;
    std::optional<FragmentFinder> finder_; // of the warp
    Background<Prepared> background_;
    const recording::BlockTrace* prepares_ = nullptr; // the block that `background_` is about
};

} // namespace viz
