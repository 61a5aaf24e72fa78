// What a block does with A, B and C over time, for the tiling view. Pure functions and values.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/touched.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// All that a block reads of one global matrix, from its first to its last step.
struct Band {
    std::optional<CellRect> bounds;
    uint64_t reads = 0; // lanes x elements
};

// What does not change while a block is looked at.
class BlockTiling {
public:
    BlockTiling(std::shared_ptr<const recording::Recording> recording, const recording::BlockTrace& block);

    const recording::Recording& recording() const { return *recording_; }
    const recording::BlockTrace& block() const { return block_; }
    const std::vector<Elements>& elements() const { return contents_.elements(); }
    const std::vector<OwnedCell>& owned() const { return owned_; }
    const std::vector<CellRect>& tile() const { return tile_; } // of C
    // The rectangle of C that the launch's first block owns, of which a block at the edge has only a part; none where it owns
    // no rectangle.
    const std::optional<CellRect>& whole_tile() const { return whole_tile_; }
    const std::array<Band, 2>& bands() const { return bands_; } // of A and B
    bool shuffles() const { return shuffles_; }                 // values pass between lanes
    bool uses_shared() const { return uses_shared_; }
    SharedContents& contents() { return contents_; }
    const SharedContents& contents() const { return contents_; }
    const std::vector<BulkCopy>& bulk(std::size_t warp) const { return contents_.bulk()[warp]; }
    const std::vector<Phase>& phases(std::size_t warp) const { return phases_[warp]; }
    // As viz::touched().
    PhaseTouch touched_in(std::size_t phase, std::size_t warp) const
    {
        return touched({*recording_, block_, elements(), phases_, contents_.bulk()}, phase, warp);
    }

    // What the threads with these linear numbers own: first <= thread < end.
    std::vector<Cell> owned_by(uint32_t first, uint32_t end) const;
    std::vector<Cell> tile_cells() const { return owned_by(0, recording_->launch.threads_per_block()); }

private:
    void add_box_to_band(const BulkCopy& copy);

    std::shared_ptr<const recording::Recording> recording_;
    const recording::BlockTrace& block_;
    std::vector<OwnedCell> owned_;
    std::vector<CellRect> tile_;
    std::optional<CellRect> whole_tile_;
    std::array<Band, 2> bands_;
    bool shuffles_ = false;
    bool uses_shared_ = false;
    SharedContents contents_;
    std::vector<std::vector<Phase>> phases_; // by warp
};

// The elements that one step of a warp concerns, per array of the recording. A shared access lights its cells in the tile,
// and in A or B the elements that those cells hold. What no lane carries out itself is lit as its descriptor says.
struct Lit {
    std::vector<std::vector<Cell>> all;  // by any lane
    std::vector<std::vector<Cell>> lane; // by the chosen lane
};
Lit lit_by(BlockTiling& tiling, std::size_t warp, std::size_t step, uint32_t lane);

// The elements that the cells which were read hold now, per global matrix.
std::vector<std::vector<Cell>> held_by(const BlockTiling& tiling, const PhaseTouch& touch);

// What the lane has read of a global matrix up to and including a step.
std::vector<Cell> walked(const BlockTiling& tiling, const recording::WarpTrace& warp, std::size_t step, uint32_t lane,
                         uint8_t array);

// The compute phase that a phase belongs to or prepares: itself, the next one, or the last; none if there is none.
std::optional<std::size_t> compute_phase_of(const std::vector<Phase>& phases, std::size_t phase);

// "128 x 8"
std::string extent_text(const CellRect& rect);

struct ThreadProduct {
    uint32_t rows = 1, cols = 1; // of its results, and so elements of A and of B that one k needs
    double reads = 0;      // elements of A and B per k, as recorded: from shared memory, or global where nothing is
    bool of_block = false; // the block's, from global memory: lanes read for each other (tensor cores, shuffles)

    uint32_t results() const { return rows * cols; }
    uint32_t inner_reads() const { return 2 * results(); } // each result takes its own product
    uint32_t outer_reads() const { return rows + cols; }   // each element read serves a row or a column of results
    bool outer() const { return results() > 1 && reads < inner_reads(); }
};

// `ks`: how many k the block works on. Nothing for a thread without results.
std::optional<ThreadProduct> thread_product(const BlockTiling& tiling, uint32_t thread, uint32_t ks);

} // namespace viz
