// Which block adds up which k-tiles of which tile of C, and how evenly that fills the places where blocks run. Pure functions.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/analysis/placement.h"

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
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
    uint32_t slices = 1;             // of K, that each tile has a block for
    uint32_t cluster = 1;            // blocks that run together, and take neighbouring tiles
    uint32_t at_once = 0;        // blocks that run together by the stage's own parameters; 0: it leaves that to the GPU
    std::vector<Cell> places;    // of the tiles, in tiles, in the order in which blocks take them
    std::vector<WorkPart> parts; // by block, in the order in which it computes them

    uint32_t tiles() const { return static_cast<uint32_t>(places.size()); }
    uint64_t all() const { return uint64_t{tiles()} * k_tiles; } // k-tiles of all tiles
    std::optional<uint32_t> tile_at(Cell place) const;
};

// Of a launch whose parameters say the tile, BM x BN x BK. What blocks recorded in full have read is kept as they read it; the others
// follow from the parameters, by the rule that the kernel itself goes by. Nothing where a recorded block contradicts that rule.
std::optional<TileWork> tile_work(const recording::Recording& recording);

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
// As it was recorded: what ran side by side on an SM stands one after another.
WorkLanes lanes_on_sms(const TileWork& work, const PlacementPicture& picture);

// The launch as it was, and as it would be otherwise: with whole tiles, or with the last ones cut.
struct WorkCase {
    TileWork work;
    PartsOfTiles by_tile;
    WorkLanes lanes;
};
struct WorkFacts {
    WorkCase whole, cut;
    bool launched_cut = false; // the second one is what was launched, else the first
    uint32_t places = 0;       // lanes
    bool on_sms = false;       // a lane is an SM, else a place for a block
    bool placed = false;       // which block ran on which SM was recorded, for what was launched
    const WorkCase& launched() const { return launched_cut ? cut : whole; }
};

// Where blocks run, for a launch that does not say how many run at once.
struct WorkPlaces {
    uint32_t count = 0; // 0: not known
    bool sms = true;    // else places for a block, of which an SM may have several
};
// What is known; `picture`: the launch's placements, null where there are none. Nothing where there is no TileWork, or no places.
std::optional<WorkFacts> work_facts(const recording::Recording& recording, const PlacementPicture* picture,
                                    const WorkPlaces& others);

} // namespace viz
