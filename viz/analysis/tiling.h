// What a block does with A, B and C over time, for the tiling view. Pure functions and values.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/timeline.h"
#include "viz/analysis/touched.h"

#include <array>
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
    const std::vector<Elements>& elements() const { return elements_; }
    const std::vector<OwnedCell>& owned() const { return owned_; }
    const std::vector<CellRect>& tile() const { return tile_; } // of C
    const std::array<Band, 2>& bands() const { return bands_; } // of A and B
    bool shuffles() const { return shuffles_; }                 // values pass between lanes
    bool uses_shared() const { return uses_shared_; }
    SharedContents& contents() { return contents_; }

    // What the threads with these linear numbers own: first <= thread < end.
    std::vector<Cell> owned_by(uint32_t first, uint32_t end) const;

private:
    std::shared_ptr<const recording::Recording> recording_;
    const recording::BlockTrace& block_;
    std::vector<Elements> elements_;
    std::vector<OwnedCell> owned_;
    std::vector<CellRect> tile_;
    std::array<Band, 2> bands_;
    bool shuffles_ = false;
    bool uses_shared_ = false;
    SharedContents contents_;
};

// The elements that one access concerns, per array of the recording. A shared access lights its cells in the tile, and
// in A or B the elements that those cells hold.
struct Lit {
    std::vector<std::vector<Cell>> all;  // by any lane
    std::vector<std::vector<Cell>> lane; // by the chosen lane
};
Lit lit_by(BlockTiling& tiling, const recording::Access& access, uint32_t lane);

// What the lane has read of a global matrix up to and including a step.
std::vector<Cell> walked(const BlockTiling& tiling, const recording::WarpTrace& warp, std::size_t step, uint32_t lane,
                         uint8_t array);

// The load phase whose values the phase with this index works on: itself, or the last one before it; none if there is
// no load phase.
std::optional<std::size_t> load_phase_of(const std::vector<Phase>& phases, std::size_t phase);

// How many compute phases there are.
int k_tiles_of(const std::vector<Phase>& phases);

// "128 x 8"
std::string extent_text(const CellRect& rect);

} // namespace viz
