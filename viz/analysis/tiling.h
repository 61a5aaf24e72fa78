// Divides K into tiles, and with split-K into slices, and finds the block that processes each part. Also what a block
// does with A, B and C over time, for the tiling view. Pure functions and values.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/pipeline.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/touched.h"

#include "recording/recording.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// A part of K, as wide as a k-tile.
struct KTile {
    uint32_t first = 0, count = 0;      // range of k
    int number = -1;                    // index among the block's own k-tiles; -1 if another block reads it
    std::optional<uint32_t> slice = {}; // z of the block that reads it; empty if not known
    bool recorded = false;              // otherwise the slice is extrapolated from recorded slices
    friend bool operator==(const KTile&, const KTile&) = default;
};

// Divides K into tiles as wide as the block's own k-tiles, of which it has `own`. Returns nothing if the block reads no
// A.
std::vector<KTile> tiles_along_k(const recording::Recording& recording, const recording::BlockTrace& block, int own);

// Returns whether a phase loads a later k-tile after a part of the computation of the current one.
bool interrupts(const std::vector<Phase>& phases, const Phase& phase);

// Returns whether K is split among several blocks.
bool is_split(const std::vector<KTile>& tiles);
// Returns the number of a tile among those of its slice, from 1, as its block counts.
uint32_t number_in_slice(const std::vector<KTile>& tiles, std::size_t at);
// Returns " of slice 2" for the block's own tiles, or an empty string if K is not split.
std::string slice_words(const std::vector<KTile>& tiles);

// Returns the k-tiles of the block whose asynchronous copies have begun at a tick, and which no wait has confirmed yet.
std::vector<KTile> tiles_coming(const Pipeline& pipeline, const std::vector<KTile>& tiles, std::size_t tick);

// Returns whether blocks write partial sums of C to a workspace, which another launch sums. In that case the recording
// does not cover the whole computation.
bool leaves_parts(const recording::Recording& recording);

// The part of a global matrix that a block reads in all of its steps.
struct Band {
    std::optional<CellRect> bounds;
    uint64_t reads = 0; // lanes x elements

    // Returns the rounded average of reads per element, or nothing if the block reads none.
    std::optional<uint64_t> times_read() const;
};

// Facts about a block that do not depend on the step.
class BlockTiling {
public:
    BlockTiling(std::shared_ptr<const recording::Recording> recording, const recording::BlockTrace& block);

    const recording::Recording& recording() const { return *recording_; }
    const recording::BlockTrace& block() const { return block_; }
    const std::vector<Elements>& elements() const { return contents_.elements(); }
    const std::vector<OwnedCell>& owned() const { return owned_; }
    const std::vector<CellRect>& tile() const { return tile_; } // tile of C
    // The rectangle of C that the first block of the launch owns, or nothing if it owns no rectangle. A block at the
    // edge owns only a part of such a rectangle.
    const std::optional<CellRect>& whole_tile() const { return whole_tile_; }
    const std::array<Band, 2>& bands() const { return bands_; } // of A and B
    bool shuffles() const { return shuffles_; }                 // lanes exchange values
    bool uses_shared() const { return uses_shared_; }
    SharedContents& contents() { return contents_; }
    const SharedContents& contents() const { return contents_; }
    const std::vector<BulkCopy>& bulk(std::size_t warp) const { return contents_.bulk()[warp]; }
    const std::vector<Phase>& phases(std::size_t warp) const { return phases_[warp]; }
    // See viz::touched().
    PhaseTouch touched_in(std::size_t phase, std::size_t warp) const
    {
        return touched({*recording_, block_, elements(), phases_, contents_.bulk()}, phase, warp);
    }

    // Returns the elements owned by threads with linear numbers first <= thread < end.
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

// The elements that one step of a warp highlights, per array of the recording. A shared access highlights its cells in
// the tile, and the elements of A or B that they hold. Accesses that no lane carries out highlight the elements of
// their descriptors.
struct Highlight {
    std::vector<std::vector<Cell>> all;  // of any lane
    std::vector<std::vector<Cell>> lane; // of the selected lane
};
Highlight highlight_of(BlockTiling& tiling, std::size_t warp, std::size_t step, uint32_t lane);

// Returns the elements that the cells in `touch.read` hold now, per global matrix.
std::vector<std::vector<Cell>> held_by(const BlockTiling& tiling, const PhaseTouch& touch);

// Returns the elements of a global matrix that the lane has read up to and including a step.
std::vector<Cell> walked(const BlockTiling& tiling, const recording::WarpTrace& warp, std::size_t step, uint32_t lane,
                         uint8_t array);

// Returns the compute phase that a phase belongs to or prepares: itself, otherwise the next one, otherwise the last
// one. Returns nothing if there is none.
std::optional<std::size_t> compute_phase_of(const std::vector<Phase>& phases, std::size_t phase);

// Returns "128 x 8".
std::string extent_text(const CellRect& rect);

// The results of one thread, and the operands that it reads for them.
struct ThreadProduct {
    uint32_t rows = 1, cols = 1; // of its results: for one k it needs `rows` elements of A and `cols` elements of B
    // Elements of A and B that it reads per k, as recorded: from shared memory if it is used, otherwise from global
    // memory.
    double reads = 0;
    // `reads` are the whole block's, because its lanes read for each other (tensor cores, shuffles).
    bool of_block = false;

    uint32_t results() const { return rows * cols; }
    uint32_t inner_reads() const { return 2 * results(); } // inner product: each result reads its own operands
    // Outer product: each element is used for a row or a column of results.
    uint32_t outer_reads() const { return rows + cols; }
    bool outer() const { return results() > 1 && reads < inner_reads(); }
};

// `ks` is how many values of k the block processes. Returns nothing for a thread without results.
std::optional<ThreadProduct> thread_product(const BlockTiling& tiling, uint32_t thread, uint32_t ks);

} // namespace viz
