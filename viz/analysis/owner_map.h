// The thread map as a picture: for each element of C a colour by its owner, and averages for looking from afar. Pure
// functions, without OpenGL, so that they can run on any thread.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/theme.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace viz {

enum class ColourBy { block, warp, lane, sm };

// How C is laid out on the screen: as it is, or, where it is a single row, wrapped into rows of 32 elements, as many as
// a warp has threads (or 64, 128 ... so that the rows do not become many more than the columns).
struct MapShape {
    uint32_t rows = 0, cols = 0;
    bool wrapped = false;
    uint32_t count = 0; // elements of C where it is wrapped; the last row of the map may be short
};
MapShape map_shape(const recording::Recording& recording);

// Between an element of C and its place on the map.
Cell map_place(const MapShape& shape, Cell element);
std::optional<Cell> map_element(const MapShape& shape, Cell place);

// A cell of the map: an index into the palette, and whether its block differs from that of the cell to the left or
// above (also at the edge of the map).
struct MapCell {
    static constexpr uint8_t palette_bits = 0x3f, edge_left = 0x40, edge_top = 0x80;
    static constexpr uint8_t nobody = 0x3f; // palette index of elements that nobody wrote
};

struct OwnerMap {
    uint32_t rows = 0, cols = 0;
    std::vector<uint8_t> cells; // row-major
};

OwnerMap owner_map(const recording::Recording& recording, ColourBy by);

// Rectangles of more than one cell that belong to one block, warp, thread (by lane) or block (by SM), in the map's places:
// where one number stands for all of them. What is no rectangle comes in several.
std::vector<CellRect> owner_regions(const recording::Recording& recording, ColourBy by);

// What a thread of a block marks on the map, in its places: the elements of the block, of the thread's warp, of the thread.
struct MapMarks {
    std::vector<CellRect> block, warp, thread;
};
// Owned by the block. As it takes a look at all of C, it is kept apart from what is marked of it for one thread after the other.
using OwnedCells = std::shared_ptr<const std::vector<OwnedCell>>;
OwnedCells owned_by_block(const recording::Recording& recording, uint32_t block);
MapMarks map_marks(const recording::Recording& recording, const OwnedCells& owned, uint32_t thread);

// 64 colours; [MapCell::nobody] is the background.
std::vector<Colour> owner_palette(const Theme& theme, ColourBy by);

// The palette index that a thread's elements take.
uint8_t palette_index(const recording::Recording& recording, ColourBy by, const Owner& owner);

// A picture of half the size, rounded up, of the level before it; each pixel the average of the cells that it covers.
struct Level {
    uint32_t rows = 0, cols = 0;
    std::vector<Colour> pixels;
};

// Level 1, 2, ... down to one pixel, or `most` of them.
std::vector<Level> pyramid(const OwnerMap& map, std::span<const Colour> palette, std::size_t most = 32);

} // namespace viz
