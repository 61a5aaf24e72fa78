// Which block computes which k-tiles of which tile of C, and how evenly the work fills the GPU. Pure functions.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/placement.h"

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace viz {

// Consecutive k-tiles of one tile of C that are summed by one block.
struct WorkPart {
    uint32_t block = 0;            // linear in the grid
    uint32_t tile = 0;             // index into TileWork::places
    uint32_t first = 0, count = 0; // range of k-tiles
    // True if the recorded block reads these k-tiles, or owns the results of the tile. Otherwise the part follows from
    // the parameters.
    bool recorded = false;
    friend bool operator==(const WorkPart&, const WorkPart&) = default;
};

// The distribution of a launch's k-tiles among its blocks.
struct TileWork {
    uint32_t BM = 1, BN = 1, BK = 1; // of a tile, in elements
    uint32_t rows = 0, cols = 0;     // tiles in C
    uint32_t k_tiles = 0;            // per tile
    uint32_t wave = 0;               // number of blocks that share the last, split tiles; 0 if no tile is split
    uint32_t slices = 1;      // slices of K, which take the k-tiles of a tile in turn; a slice has a block per tile
    uint32_t depth = 1;       // blocks of a cluster that share a tile; each has consecutive k-tiles
    uint32_t cluster = 1;     // blocks that run together and take neighbouring tiles
    uint32_t at_once = 0;     // blocks that run together by the parameters; 0 if the GPU decides
    std::vector<Cell> places; // position of each tile in C, in tiles; in the order in which blocks take them
    std::vector<uint32_t> numbers; // index of each tile in `places`, row by row of C
    std::vector<WorkPart> parts;   // by block, in the order of computation

    uint32_t tiles() const { return static_cast<uint32_t>(places.size()); }
    std::optional<uint32_t> tile_at(Cell place) const;
};

// Why the division of K among the blocks is not known.
enum class NoWork : uint8_t {
    no_tile,      // the parameters define no tile of BM x BN x BK
    too_large,    // more parts, or slots for blocks, than the analysis supports
    other_blocks, // the rule of the parameters makes another number of blocks
    contradicted, // a recorded block contradicts the rule
    no_places,    // the number of SMs is not known
};

// A value, or the reason why there is none.
template <class What>
struct Told : std::optional<What> {
    // NOLINTBEGIN(google-explicit-constructor): functions return a value or a reason
    Told(What what) : std::optional<What>(std::move(what)) {}
    Told(NoWork reason) : why(reason) {}
    // NOLINTEND(google-explicit-constructor)
    NoWork why = NoWork::no_tile; // valid if there is no value
};

// Returns the work of a launch whose parameters define the tile BM x BN x BK. The parts follow from the parameters, by
// the rule that the kernel itself uses. Returns NoWork::contradicted if a recorded block has read other parts.
Told<TileWork> tile_work(const recording::Recording& recording);

// Returns indices into TileWork::parts.
std::ranges::iota_view<std::size_t, std::size_t> parts_of_block(const TileWork& work, uint32_t block);

// Returns the same tiles, assigned in another way. With wave 0 each tile has a block. Otherwise the tiles that remain
// after whole waves of `wave` blocks are split along K.
TileWork dealt_out(const TileWork& work, uint32_t wave);

// Parts ordered by tile, then by k, and the tiles that are split.
struct PartsOfTiles {
    std::vector<std::size_t> parts; // indices into TileWork::parts
    std::vector<std::size_t> first; // index in `parts` of each tile's first part, followed by the end index
    std::vector<uint32_t> cut;      // split tiles, ascending
};
PartsOfTiles parts_of_tiles(const TileWork& work);

// Adds the sum of one slice of K to an element of C.
struct ReductionStep {
    uint32_t block = 0;          // block that computed the slice's sum
    uint32_t k_tiles = 0;        // of the slice
    std::optional<double> slice; // its sum; empty if the inputs are not known
    std::optional<double> total; // the element after this step
};
// Returns the steps for an element of a tile, in the order in which the second kernel adds the slices. Empty if K has
// no slices.
std::vector<ReductionStep> reduction_steps(const recording::Recording& recording, const TileWork& work, uint32_t tile,
                                           Cell element);

// Schedule of the blocks on slots or SMs. The unit of time is one k-tile.
struct WorkLanes {
    struct Span {
        std::size_t part = 0; // index into TileWork::parts
        uint64_t from = 0;
    };
    std::vector<std::vector<Span>> lanes;
    uint64_t length = 0; // of the longest lane
    uint64_t work = 0;   // sum over all lanes

    uint64_t end_of(std::size_t lane, const TileWork& work) const; // 0 if the lane has no block
    double idle() const;                                           // idle fraction of all lanes' time
};
// Assigns each block, in the order of block numbers, to the slot that is free first.
WorkLanes lanes_of(const TileWork& work, uint32_t places);

// One way to distribute the launch's work: in whole tiles, or with the last tiles split.
struct WorkCase {
    TileWork work;
    PartsOfTiles by_tile;
    WorkLanes lanes;
    uint32_t longest = 0;     // number of k-tiles of the longest part
    std::size_t recorded = 0; // number of recorded parts
};
// The launched distribution, and its alternative.
struct WorkFacts {
    WorkCase whole, cut;
    bool launched_cut = false; // `cut` was launched; otherwise `whole` was
    uint32_t places = 0;       // number of lanes
    bool on_sms = false;       // a lane is an SM; otherwise a lane is a slot for one block
    bool placed = false;       // the SM of each block of the launched distribution was recorded
    const WorkCase& launched() const { return launched_cut ? cut : whole; }
    const WorkCase& otherwise() const { return launched_cut ? whole : cut; }
};

// Where blocks run.
struct WorkPlaces {
    uint32_t count = 0; // 0 if not known
    bool sms = true;    // false: slots for one block each; an SM may have several
    friend bool operator==(const WorkPlaces&, const WorkPlaces&) = default;
};
// Returns the places that the launch itself determines. `picture` has its placements, and may be null.
std::optional<WorkPlaces> own_places(const TileWork& work, const PlacementPicture* picture);

// `others` is used if the launch does not determine its places.
Told<WorkFacts> work_facts(TileWork launched, const PlacementPicture* picture, const WorkPlaces& others);

} // namespace viz
