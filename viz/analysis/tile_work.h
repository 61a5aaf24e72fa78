// Which block adds up which k-tiles of which tile of C, and how evenly that fills the places where blocks run. Pure functions.
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

// Some k-tiles of one tile, added up by one block.
struct WorkPart {
    uint32_t block = 0;            // linear in the grid
    uint32_t tile = 0;             // TileWork::places
    uint32_t first = 0, count = 0; // k-tiles
    // That the block reads just these k-tiles, or that the tile's results are its own; else it follows from the launch's parameters.
    bool recorded = false;
    friend bool operator==(const WorkPart&, const WorkPart&) = default;
};

struct TileWork {
    uint32_t BM = 1, BN = 1, BK = 1; // of a tile, in elements
    uint32_t rows = 0, cols = 0;     // of tiles in C
    uint32_t k_tiles = 0;            // that each tile takes
    uint32_t wave = 0;               // blocks among which the last tiles are cut; 0: that cuts none
    uint32_t slices = 1;             // of K, that each tile has a block for; their blocks take turns at its k-tiles
    uint32_t depth = 1;              // blocks of a cluster that share a tile, each with k-tiles that follow one another
    uint32_t cluster = 1;            // blocks that run together, and take neighbouring tiles
    uint32_t at_once = 0;     // blocks that run together by the stage's own parameters; 0: it leaves that to the GPU
    std::vector<Cell> places; // of the tiles, in tiles, in the order in which blocks take them
    std::vector<uint32_t> numbers; // of the tiles in that order, row after row of C
    std::vector<WorkPart> parts;   // by block, in the order in which it computes them

    uint32_t tiles() const { return static_cast<uint32_t>(places.size()); }
    std::optional<uint32_t> tile_at(Cell place) const;
};

// Why nobody can tell which block has which part of K.
enum class NoWork : uint8_t {
    no_tile,      // the parameters name no tile of BM x BN x BK
    too_large,    // more parts, or places for blocks, than are followed here
    other_blocks, // the launch has other blocks than the rule for its parameters makes
    contradicted, // a recorded block has read something else than that rule says
    no_places,    // it is not known on how many SMs it would run
};

// What can be told, or why nothing can.
template <class What>
struct Told : std::optional<What> {
    // NOLINTBEGIN(google-explicit-constructor): a function returns the one or the other
    Told(What what) : std::optional<What>(std::move(what)) {}
    Told(NoWork reason) : why(reason) {}
    // NOLINTEND(google-explicit-constructor)
    NoWork why = NoWork::no_tile; // where it has no value
};

// Of a launch whose parameters say the tile, BM x BN x BK. What blocks recorded in full have read is kept as they read it; the others
// follow from the parameters, by the rule that the kernel itself goes by. Nothing where a recorded block contradicts that rule.
Told<TileWork> tile_work(const recording::Recording& recording);

// Indices into TileWork::parts.
std::ranges::iota_view<std::size_t, std::size_t> parts_of_block(const TileWork& work, uint32_t block);

// The same tiles as if each had one block, or as if those that are left after whole waves of `wave` blocks were cut along K.
TileWork dealt_out(const TileWork& work, uint32_t wave);

// Parts by tile, then by k; and which tiles have more than one.
struct PartsOfTiles {
    std::vector<std::size_t> parts; // indices into TileWork::parts
    std::vector<std::size_t> first; // of each tile in `parts`; one more at the end
    std::vector<uint32_t> cut;      // tiles of more than one block, ascending
};
PartsOfTiles parts_of_tiles(const TileWork& work);

// Blocks one after another in the places where they run, or on their SMs. The unit of time is a k-tile of one tile.
struct WorkLanes {
    struct Span {
        std::size_t part = 0; // index into TileWork::parts
        uint64_t from = 0;
    };
    std::vector<std::vector<Span>> lanes;
    uint64_t length = 0; // of the longest
    uint64_t work = 0;   // of all together

    uint64_t end_of(std::size_t lane, const TileWork& work) const; // 0 where it has no block
    double idle() const;                                           // share of the time of all lanes
};
// Each block goes where a place is free first, in the order of their numbers.
WorkLanes lanes_of(const TileWork& work, uint32_t places);

// The launch as it was, and as it would be otherwise: with whole tiles, or with the last ones cut.
struct WorkCase {
    TileWork work;
    PartsOfTiles by_tile;
    WorkLanes lanes;
    uint32_t longest = 0;     // k-tiles of the part that has most of them
    std::size_t recorded = 0; // parts
};
struct WorkFacts {
    WorkCase whole, cut;
    bool launched_cut = false; // the second one is what was launched, else the first
    uint32_t places = 0;       // lanes
    bool on_sms = false;       // a lane is an SM, else a place for a block
    bool placed = false;       // which block ran on which SM was recorded, for what was launched
    const WorkCase& launched() const { return launched_cut ? cut : whole; }
    const WorkCase& otherwise() const { return launched_cut ? whole : cut; }
};

// Where blocks run.
struct WorkPlaces {
    uint32_t count = 0; // 0: not known
    bool sms = true;    // else places for a block, of which an SM may have several
    friend bool operator==(const WorkPlaces&, const WorkPlaces&) = default;
};
// What the launch itself says of them. `picture`: its placements, null where there are none.
std::optional<WorkPlaces> own_places(const TileWork& work, const PlacementPicture* picture);

// `others`: where blocks run if the launch does not say it.
Told<WorkFacts> work_facts(TileWork launched, const PlacementPicture* picture, const WorkPlaces& others);

} // namespace viz
