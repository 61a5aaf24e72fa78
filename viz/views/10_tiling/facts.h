// What the tiling view has derived for one stage at one step, and what it says of it.
#pragma once

#include "viz/analysis/added_up.h"
#include "viz/analysis/barriers.h"
#include "viz/analysis/k_tiles.h"
#include "viz/analysis/pipeline.h"
#include "viz/analysis/sectors.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/values.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/text/rich.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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

// Whether K is split over several blocks.
bool split(const std::vector<KTile>& tiles);

// What the view says (sentences.cpp).

Rich headline(const TilingFacts& facts);
// What a pass over K works on: "k-tile", or "round" where nothing is multiplied.
const char* tile_word(const TilingFacts& facts);
Rich phase_words(const Focus& focus, const TilingFacts& facts); // which phase this is and what it moves
// What is copied while what is computed, now and in all.
Rich pipeline_words(const Focus& focus, const TilingFacts& facts);
Rich access_words(const Focus& focus); // which access is lit, and which lanes take part in it
Rich edge_words(const GuardUse& use);  // what the lanes outside the matrices do, or how to see some
// What the lane does in this access.
Rich lane_words(const std::string& stage, const Focus& focus, const TilingFacts& facts, uint32_t lane);
// An element of an array: who computes it, or what the cell of a shared tile holds and where it lies.
Rich element_words(const TilingFacts& facts, uint8_t array, const Cell& cell);

// One stage of the view in one frame. Layers refer to it.
struct TilingPart {
    const ViewFrame& frame;
    const StageColumn& stage;
    Focus focus;
    TilingFacts facts;

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return theme().accent(stage.number); }
    uint32_t lane() const { return frame.selection.lane; }
    bool first() const { return stage.number == 0; }
    const recording::Recording& recording() const { return *focus.recording; }
    // Of a mark: that of the first stage is the thing's alone.
    std::string name(const std::string& thing) const { return first() ? thing : thing + " of " + stage.slug; }
};

// Where the matrices lie: they fill the box, and do not depend on the step.
struct TilingLayout {
    struct Tile {
        uint8_t array = 0; // of the recording
        MatrixFrame frame;
    };
    MatrixFrame operands[3]; // A, B, C
    Box product{};           // above A, left of B; empty where there are no such
    std::vector<Tile> tiles;
};

// A matrix that fills the box, its elements at most so many times as wide as high, or as high as wide.
MatrixFrame filling(const Box& box, const MapShape& shape, float most_stretch);

// The layers of A, B and C with the block's tiles, of the shared tiles, and over them the way of the selected lane's words at this
// step: from matrix to tile, to the lane, or to its results (pictures.cpp). `lane_at`: above the lane among the warp's; none where
// these have several rows. Marks "slice of A", "k-tile 1 of A", "tile of block (0,0)", "tile As", "move to As", "read too early",
// "overwritten too early".
std::vector<Layer> matrix_layers(const TilingPart& part, const TilingLayout& layout,
                                 const std::optional<ImVec2>& lane_at);

// Of a thread that has a product: two orders of the same sum, side by side. Marks "inner product", "outer product".
void add_products(Figure& figure, const TilingPart& part, const Box& box);
// The pipeline of a block as lanes of time: copies under way, waits and computation, one below the other, within a share of the
// height of the box. Returns the height that they take. `first`: the tick at the left, which stays until the step leaves the picture.
// Marks "copy of k-tile 1", "compute of k-tile 1", counted from 1, of what shows whole; and "cursor" (over_k.cpp).
float add_pipeline(Figure& figure, const TilingPart& part, const Box& box, double& first);

} // namespace viz
