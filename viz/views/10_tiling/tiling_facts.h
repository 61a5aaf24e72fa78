// What the tiling view has derived for one stage at one step.
#pragma once

#include "viz/analysis/added_up.h"
#include "viz/analysis/barriers.h"
#include "viz/analysis/k_tiles.h"
#include "viz/analysis/pipeline.h"
#include "viz/analysis/sectors.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/values.h"
#include "viz/draw/background.h"
#include "viz/draw/focus.h"
#include "viz/draw/stage_part.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace viz {

struct TilingFacts {
    std::unique_ptr<BlockTiling> tiling;
    std::shared_ptr<const recording::Recording> recording;
    const recording::WarpTrace* warp = nullptr;
    std::vector<Phase> phases;                // of the warp
    Pipeline pipeline;                        // of the block; the warp stands for its role
    bool computes = false;                    // any warp of the block
    double pipeline_first = 0;                // see PipelineLanes
    std::vector<KTile> k_tiles;               // all of K
    GuardUse guards;                          // of the block
    std::optional<ThreadProduct> product;     // of the selected lane's thread
    std::optional<std::size_t> phase;         // that `now` is of
    PhaseTouch now;                           // what the block does in the current phase
    std::optional<std::size_t> compute_phase; // that `used` is of
    PhaseTouch used;                          // what the current or next compute phase reads
    // Of A and B: what the current or next compute phase works on, as far as it is in shared memory.
    std::array<std::vector<CellRect>, 2> slice;
    Lit lit;
    std::shared_ptr<const BlockBarriers> barriers;  // of the block, once a barrier was looked at
    std::optional<BlockBarriers::Summary> guarding; // of them all, once that is known
    std::optional<BarrierRaces> races;              // at a barrier, where the recording says what it guards
    std::array<std::vector<CellRect>, 2> walk;      // of the selected lane in A and B, where nothing is shared
    std::vector<CellRect> thread_tile, warp_tile;
    std::vector<Cell> warp_results;    // of C, in order
    std::optional<uint32_t> added;     // see added_up_to()
    std::unique_ptr<RunningSums> sums; // of C
    // Of each shared tile: the cells that hold a value of the slice (in a load phase: what it has brought so far), of the
    // slice whose computation a load of a later one interrupts, of a later one, a zero for an element outside of the
    // matrix, or what an earlier phase left there.
    enum : std::size_t { current_slice, meanwhile, ahead, outside, older, classes };
    std::vector<std::array<std::vector<CellRect>, classes>> filled; // per array

    void update(const ShownStage& stage, const Focus& focus, uint32_t lane);
    bool settled() const { return !summing.busy(); }

    // k-tiles of the block, also for a warp that computes none.
    int tiles() const { return std::max(pipeline.k_tiles, k_tiles_of(phases)); }
    const Phase& current() const { return phases[*phase]; }
    // In a load phase that brings a later k-tile: whether the one before is being computed, and only interrupted.
    bool interrupts() const;

private:
    void find_slice();
    void find_races(const Focus& focus);

    Background<BlockBarriers::Summary> summing;
    void fill_tiles(std::size_t since);

    std::optional<FragmentFinder> finder; // of the warp
    std::optional<std::size_t> step;
    std::optional<uint32_t> of_lane, product_of; // product_of: thread
    std::array<uint32_t, 2> slice_end{};         // of A and B: the first k after the slice
};

// One stage of the view while it is drawn; the facts are of its step once that is known to have a warp.
struct TilingPart : StagePart {
    Focus focus;
    TilingFacts& facts;
    ImDrawList* list = ImGui::GetWindowDrawList();

    const recording::Recording& recording() const { return *focus.recording; }
};

} // namespace viz
