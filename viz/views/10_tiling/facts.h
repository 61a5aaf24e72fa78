// Facts and texts of the tiling view for one stage at one step.
#pragma once

#include "viz/analysis/barriers.h"
#include "viz/analysis/partial_sums.h"
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

// The facts of one frame. The column owns the data that they refer to.
struct TilingFacts {
    // Classes of cells in a shared tile:
    // - current_slice: values of the current slice; in a load phase, those loaded so far
    // - meanwhile: values of the slice whose computation is interrupted by loads of a later slice
    // - ahead: values of a later slice
    // - coming: values whose asynchronous copy is under way, so that no lane may read them yet
    // - outside: zeros for elements outside the matrix
    // - older: values left by earlier phases
    enum : std::size_t { current_slice, meanwhile, ahead, coming, outside, older, classes };
    using Filled = std::vector<std::array<std::vector<CellRect>, classes>>; // per array

    const recording::Recording& recording;
    const recording::WarpTrace& warp;
    const BlockTiling& tiling;             // its contents are those at the step
    RunningSums& sums;                     // of C
    bool computes;                         // whether any warp of the block computes
    const GuardUse& guards;                // of the block
    const std::vector<Phase>& phases;      // of the warp
    std::size_t phase;                     // of the step
    const Pipeline& pipeline;              // of the block; shows this warp for its role
    const std::vector<KTile>& k_tiles;     // all of K
    const std::vector<Cell>& warp_results; // elements of C, in order
    const std::vector<CellRect>&warp_tile, &thread_tile;
    const std::optional<ThreadProduct>& product; // of the selected lane's thread
    const PhaseTouch& now;                       // accesses of the block in the current phase
    const PhaseTouch& used;                      // reads of the current or next compute phase
    // The elements of A and B that the current or next compute phase uses and that are in shared memory.
    const std::array<std::vector<CellRect>, 2>& slice;
    const Filled& filled;
    const std::vector<KTile>& coming_tiles; // k-tiles whose asynchronous copies are under way
    bool interrupts;                        // the phase loads a later k-tile while the previous one is being computed
    std::optional<uint32_t> added;          // see summed_up_to()
    const Highlight& highlight;
    const std::array<std::vector<CellRect>, 2>& walk; // A and B read by the selected lane so far, if nothing is shared
    // Set at a barrier:
    std::shared_ptr<const BlockBarriers> barriers = {};  // of the block
    const BarrierRaces* races = nullptr;                 // null if the recording does not show what the barrier guards
    std::optional<BlockBarriers::Summary> guarding = {}; // over all barriers; empty while it is computed

    // Returns the k-tiles of the block, even if this warp computes none.
    int tiles() const { return std::max(pipeline.k_tiles, k_tiles_of(phases)); }
    const Phase& current() const { return phases[phase]; }
};

// Requires that `focus` has a warp.
TilingFacts tiling_facts(const StageColumn& column, const Focus& focus, uint32_t lane);

// Texts of the view.

Rich headline(const TilingFacts& facts);
// Returns the name of an iteration over K: "k-tile", or "round" if nothing is multiplied.
const char* tile_word(const TilingFacts& facts);
Rich phase_words(const Focus& focus, const TilingFacts& facts); // names the phase and what it moves
Rich pipeline_words(const TilingFacts& facts);                  // describes how many computations overlap with copies
Rich access_words(const Focus& focus);                          // describes the lanes that take no part in the access
// Describes lanes outside the matrices, or at which size there are some.
Rich edge_words(const recording::Recording& recording, const GuardUse& use);
// Describes what the lane does in this access.
Rich lane_words(const std::string& stage, const Focus& focus, const TilingFacts& facts, uint32_t lane);

// One stage of the view in one frame. The layers refer to it.
struct TilingPart : StagePart {
    Focus focus;
    TilingFacts facts;

    bool first() const { return stage.number == 0; }
};

// Positions of the matrices, which fill the box. They are the same at every step.
struct TilingLayout {
    struct Tile {
        uint8_t array = 0; // index among the recording's arrays
        MatrixFrame frame;
    };
    MatrixFrame operands[3]; // A, B, C
    Box product{};           // above A, left of B; empty without A and B
    std::vector<Tile> tiles;
};

// Shown instead of the thread's own outer product if it has a single result.
inline constexpr ThreadProduct example_product{.rows = 8, .cols = 8};

enum class ProductKind : uint8_t { inner, outer };

inline ProductKind kind_of(const ThreadProduct& product)
{
    return product.outer() ? ProductKind::outer : ProductKind::inner;
}

// Returns a frame that fills the box. The sides of an element differ by at most the factor `most_stretch`.
MatrixFrame filling(const Box& box, const MapShape& shape, float most_stretch);

// The operands whose values a picture of a product shows.
struct ProductOperands {
    std::vector<uint32_t> rows, cols; // of the results in C
    std::vector<uint32_t> ks;
    uint32_t k = 0; // of the step
};

// Adds A at the left, B above and the results at the corner, as in the large picture. They have values if there is room:
// those of the step's k for an outer product, and of some k around it for an inner one (pictures.cpp).
void add_product(std::vector<Layer>& layers, const TilingPart& part, const Box& box, ProductKind kind,
                 const ProductOperands& of);

// Explains the colours of cells at a barrier (pictures.cpp).
Rich race_legend(const TilingPart& part);

// Returns the layers of A, B and C with the block's tiles, of the shared tiles, and of the paths of the selected lane's
// words: from a matrix to a tile, to the lane, or to its results (pictures.cpp). `lane_at` is above the lane; it is
// empty if the lanes have several rows. Marks "slice of A", "k-tile 1 of A", "tile of block (0,0)", "tile As", "move to
// As", "read too early", "overwritten too early".
std::vector<Layer> matrix_layers(const TilingPart& part, const TilingLayout& layout,
                                 const std::optional<ImVec2>& lane_at);

} // namespace viz
