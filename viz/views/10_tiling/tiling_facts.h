// What the tiling view has derived for one stage at one step.
#pragma once

#include "viz/analysis/added_up.h"
#include "viz/analysis/barriers.h"
#include "viz/analysis/k_tiles.h"
#include "viz/analysis/pipeline.h"
#include "viz/analysis/sectors.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/values.h"
#include "viz/draw/focus.h"
#include "viz/draw/stage_part.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace viz {

// Good for one frame; what it refers to is kept by the column.
struct TilingFacts {
    // Of each shared tile: the cells that hold a value of the slice (in a load phase: what it has brought so far), of the
    // slice whose computation a load of a later one interrupts, of a later one, a zero for an element outside of the
    // matrix, or what an earlier phase left there.
    enum : std::size_t { current_slice, meanwhile, ahead, outside, older, classes };
    using Filled = std::vector<std::array<std::vector<CellRect>, classes>>; // per array

    const recording::Recording& recording;
    const recording::WarpTrace& warp;
    const BlockTiling& tiling;             // its contents are at the step
    RunningSums& sums;                     // of C
    bool computes;                         // any warp of the block
    const GuardUse& guards;                // of the block
    const std::vector<Phase>& phases;      // of the warp
    std::size_t phase;                     // of the step
    const Pipeline& pipeline;              // of the block; the warp stands for its role
    const std::vector<KTile>& k_tiles;     // all of K
    const std::vector<Cell>& warp_results; // of C, in order
    const std::vector<CellRect>&warp_tile, &thread_tile;
    const std::optional<ThreadProduct>& product; // of the selected lane's thread
    const PhaseTouch& now;                       // what the block does in the current phase
    const PhaseTouch& used;                      // what the current or next compute phase reads
    // Of A and B: what the current or next compute phase works on, as far as it is in shared memory.
    const std::array<std::vector<CellRect>, 2>& slice;
    const Filled& filled;
    bool interrupts;               // in a load phase that brings a later k-tile: the one before is being computed
    std::optional<uint32_t> added; // see added_up_to()
    const Lit& lit;
    const std::array<std::vector<CellRect>, 2>& walk; // of the selected lane in A and B, where nothing is shared
    // At a barrier:
    std::shared_ptr<const BlockBarriers> barriers = {};  // of the block
    const BarrierRaces* races = nullptr;                 // where the recording says what it guards
    std::optional<BlockBarriers::Summary> guarding = {}; // of them all, once that is known

    // k-tiles of the block, also for a warp that computes none.
    int tiles() const { return std::max(pipeline.k_tiles, k_tiles_of(phases)); }
    const Phase& current() const { return phases[phase]; }
};

// `focus` has a warp.
TilingFacts tiling_facts(const StageColumn& column, const Focus& focus, uint32_t lane);

// One stage of the view while it is drawn.
struct TilingPart : StagePart {
    Focus focus;
    TilingFacts facts;
    double& pipeline_first; // see PipelineLanes
    ImDrawList* list = ImGui::GetWindowDrawList();

    const recording::Recording& recording() const { return *focus.recording; }
};

} // namespace viz
