// Facts of the reuse view about a stage's block, without pictures.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/analysis/tile_sizes.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/ladder_facts.h"
#include "viz/text/rich.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace viz {

// A block and its reuse.
struct BlockReuse {
    const recording::Recording& recording;
    const recording::BlockTrace& block;
    const Reuse& reuse;

    uint32_t element_bytes() const { return recording.arrays[0].element_bytes; }
};

// A stage in this frame, with the facts about its block.
struct ReuseStage {
    const StageColumn& stage;
    Focus focus;
    BlockReuse shown;
    const StageFacts* rung = nullptr; // null if unknown
    Phase now;                        // the current phase, or without tiles only the current step

    const Reuse& reuse() const { return shown.reuse; }
    bool tiles() const { return reuse().shared_bytes > 0; }
    const std::string& name_of(const OperandReuse& operand) const { return shown.recording.arrays[operand.array].name; }
    const HardwareFigures* counted() const { return largest_counted(rung); }
};

// Returns the reuse in a block of the column: an empty optional if the stage has no operands, and null until it is
// computed.
const std::optional<Reuse>* reuse_in(const StageColumn& column, const recording::BlockTrace& block);

// Returns the element of an operand to follow, in the row of `c` (A) or in its column (B). It is the first one read
// between the two steps, otherwise the last one read before them, otherwise the first one of the band.
Cell followed_element(const Reuse& reuse, const OperandReuse& operand, const Cell& c, std::size_t first_step,
                      std::size_t last_step);

// Describes how often each element is read, and what these numbers omit.
Rich reads_paragraph(const BlockReuse& block);

// Arithmetic intensity at a memory level, in FLOP per byte.
struct LevelIntensity {
    std::string level;               // "shared", "sectors", "DRAM"
    CellRect tile;                   // the tile of C in which a fetched value is reused
    std::optional<double> recorded;  // of the block
    std::optional<double> counted;   // by the GPU, for a whole launch
    recording::Problem counted_at{}; // size of the counted launch
};

// Returns the levels from the registers outwards. At a level with a recorded value, uses the counters of the
// recording's own launch. At other levels uses those of the largest counted launch, because in a small launch most L2
// lookups are for code. `rung` is null if unknown.
std::vector<LevelIntensity> intensities_of(const BlockReuse& block, const StageFacts* rung);

Rich level_words(const std::string& slug, const LevelIntensity& at); // its values in one sentence

// Compares the loads of a stage with those that the formula requires for its thread tile, and for others. Each bar has
// the loads per result from shared and from global memory, as parts of K. Requires at least one stage (pictures.cpp).
Panel loads_panel(const Theme& theme, std::span<const ReuseStage> stages, const Box& box);
// Adds intensity by formula to a chart over the side of a thread's tile, for shared memory, and for global memory if the
// block has as many threads as that of the stage (pictures.cpp).
void add_formulas(CurveLayer& chart, const ReuseStage& one, const Theme& theme);

// The sizes of tiles that a stage could have.
struct TilesOfStage {
    std::string slug;
    Colour accent = 0;
    TileScheme scheme;
    std::vector<TileSize> sizes;
};
TilesOfStage tiles_of(const ReuseStage& one, const LadderFacts& ladder_facts, const Theme& theme);
Rich scheme_words(const TilesOfStage& stage);       // describes what stays the same while the tile grows
Rich largest_tile_words(const TilesOfStage& stage); // names the largest tile that can be launched
// Adds square tiles of C, one below another, with their shared memory, loads, FLOP per byte, and blocks on an SM with
// the limit of these. Tiles that cannot be launched are amber. Requires at least one stage (pictures.cpp).
void add_tile_sizes(Figure& figure, const Theme& theme, std::span<const TilesOfStage> stages, const Box& box);

} // namespace viz
