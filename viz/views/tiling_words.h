// What the tiling view has derived for one subject at one step, and the sentences that go with it.
#pragma once

#include "viz/analysis/tiling.h"
#include "viz/views/focus.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

struct TilingFacts {
    std::unique_ptr<BlockTiling> tiling;
    std::shared_ptr<const recording::Recording> recording;
    const recording::WarpTrace* warp = nullptr;
    std::vector<Phase> phases;             // of the warp
    std::optional<std::size_t> phase;      // that `now` is of
    PhaseTouch now;                        // what the block does in the current phase
    std::optional<std::size_t> load_phase; // that `slice` is of
    PhaseTouch slice;                      // what the last load phase fetched
    Lit lit;
    std::array<std::vector<CellRect>, 2> walk; // of the selected lane in A and B, where nothing is shared
    std::vector<CellRect> thread_tile, warp_tile;
    // Of each shared tile: the cells that hold a value of the last load phase, a zero for an element outside of the
    // matrix, or what an earlier phase left there.
    enum : std::size_t { current_slice, outside, older };
    std::vector<std::array<std::vector<CellRect>, 3>> filled; // per array

    void update(const Subject& subject, const Focus& focus, uint32_t lane);

    const Phase& current() const { return phases[*phase]; }

private:
    void fill_tiles();

    std::optional<std::size_t> step;
    std::optional<uint32_t> of_lane;
};

// The lesson: which phase this is and what it moves, with the stage's own numbers.
Prose tiling_sentence(const Theme& theme, const Focus& focus, const TilingFacts& facts);

// Which access is lit, and which lanes take part in it.
Prose access_sentence(const Theme& theme, const Focus& focus);

// What the colours of the picture mean at this step.
Prose tiling_legend(const Theme& theme, const Subject& subject, const TilingFacts& facts);

// "vectorized: block (0,0), warp 0, lane 13 reads As(1, 6), which holds A(6, 1)."
std::string lane_words(const Subject& subject, const Focus& focus, const TilingFacts& facts, uint32_t lane);

Colour phase_colour(const Theme& theme, PhaseKind kind);

} // namespace viz
