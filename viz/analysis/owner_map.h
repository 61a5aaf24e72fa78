// Makes pictures of which thread owns each element of C: a colour for each element, and averages for small scales. Pure
// functions without OpenGL, so that they can run on any thread.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/theme.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace viz {

// What determines the colour of an element: a property of its owner, or its value after the launch.
enum class ColourBy { block, warp, lane, sm, value };

// Layout of C on the screen. A C with a single row is wrapped into rows of 32 elements, as many as a warp has threads.
// Rows become 64, 128 ... elements long if there would be far more rows than columns.
struct MapShape {
    uint32_t rows = 0, cols = 0;
    bool wrapped = false;
    uint32_t count = 0; // elements of C if wrapped; the last row of the map may be shorter
};
MapShape map_shape(const recording::Recording& recording);

// Convert between an element of C and its position on the map.
Cell map_place(const MapShape& shape, Cell element);
std::optional<Cell> map_element(const MapShape& shape, Cell place);

// The bits of a map cell: an index into the palette and two flags. A flag is set if the cell to the left or above
// belongs to another block or does not exist.
struct MapCell {
    static constexpr uint8_t palette_bits = 0x3f, edge_left = 0x40, edge_top = 0x80;
    static constexpr uint8_t nobody = 0x3f; // palette index of elements that no thread wrote
};

// The cells of the map, each as described at MapCell.
struct OwnerMap {
    uint32_t rows = 0, cols = 0;
    std::vector<uint8_t> cells; // row-major
};

OwnerMap owner_map(const recording::Recording& recording, ColourBy by);

// Returns the rectangles of cells that share an owner: a block, a warp, a thread (for ColourBy::lane) or a block (for
// ColourBy::sm). They are in map coordinates and have more than one cell. Other areas are split into rectangles. One
// number is printed for each.
std::vector<CellRect> owner_regions(const recording::Recording& recording, ColourBy by);

// The elements of a thread, of its warp and of its block, as positions on the map.
struct MapMarks {
    std::vector<CellRect> block, warp, thread;
};
// The elements of C that a block owns. Finding them scans all of C, so map_marks() shares one result for all threads.
using OwnedCells = std::shared_ptr<const std::vector<OwnedCell>>;
OwnedCells owned_by_block(const recording::Recording& recording, uint32_t block);
MapMarks map_marks(const recording::Recording& recording, const OwnedCells& owned, uint32_t thread);

// Returns 64 colours. The one at MapCell::nobody is the background.
std::vector<Colour> owner_palette(const Theme& theme, ColourBy by);

// The least and the largest value in C after the launch, ignoring infinities and NaN. value_range() returns nothing if
// the recording has no such value.
struct ValueRange {
    double least = 0, most = 0;
};
std::optional<ValueRange> value_range(const recording::Recording& recording);

// Returns the palette index of a value, or MapCell::nobody for NaN.
uint8_t palette_index(const ValueRange& range, double value);

// Returns the palette index of a thread's elements.
uint8_t palette_index(const recording::Recording& recording, ColourBy by, const Owner& owner);

// One level of a pyramid: half as wide and high as the previous level, rounded up. Each pixel is the average of the
// cells that it covers.
struct Level {
    uint32_t rows = 0, cols = 0;
    std::vector<Colour> pixels;
};

// Returns levels 1, 2, ... down to a single pixel, `most` levels at most.
std::vector<Level> pyramid(const OwnerMap& map, std::span<const Colour> palette, std::size_t most = 32);

} // namespace viz
