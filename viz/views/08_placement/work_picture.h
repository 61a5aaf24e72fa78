// The tiles of C and who adds up which part of K of them: C as a grid of tiles, cut tiles as columns of their k-tiles, and the places
// where blocks run as lanes of k-tiles done.
#pragma once

#include "viz/analysis/tile_work.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/views/08_placement/kept_pixels.h"

#include <cstddef>
#include <optional>
#include <string>

namespace viz {

struct WorkPicture {
    const WorkFacts& facts;
    std::optional<uint32_t> selected; // a block, linear in the grid
    const Theme& theme;
    Marks* marks = nullptr;
};

// Of a block's part of a tile; quieter where the block has the tile for itself.
Colour work_colour(const Theme& theme, const WorkPart& part, bool whole);

// Each is painted from these.
struct PaintedMap {
    const WorkCase* of = nullptr;
    int width = 0, height = 0;
    bool dark = true;
    friend bool operator==(const PaintedMap&, const PaintedMap&) = default;
};
struct PaintedColumns {
    const WorkCase* of = nullptr;
    uint32_t first = 0, before = 0;  // whole tiles beside the cut ones
    std::size_t from = 0, count = 0; // columns
    uint32_t depth = 0;              // k-tiles
    int width = 0, height = 0;
    bool dark = true;
    friend bool operator==(const PaintedColumns&, const PaintedColumns&) = default;
};
struct PaintedLanes {
    const WorkCase* of = nullptr;
    double most = 0; // k-tiles that the width stands for
    int width = 0, height = 0;
    bool dark = true;
    friend bool operator==(const PaintedLanes&, const PaintedLanes&) = default;
};

// The part under the mouse: an index into TileWork::parts, of the case drawn.
using PartUnder = std::optional<std::size_t>;

std::string name_of_map(const WorkFacts& facts);
// Each is one ImGui item with its name above, as the launch was. What a frame does grows with what is in sight, not with the launch.
PartUnder draw_work_map(const WorkPicture& picture, KeptPixels<PaintedMap>& image, const draw::Box& box);
PartUnder draw_work_columns(const WorkPicture& picture, KeptPixels<PaintedColumns>& image, const draw::Box& box);

// One row for each place; time without work is amber, up to the end of the last one.
struct WorkChart {
    const WorkPicture& picture;
    const WorkCase& shown;
    double most = 1;   // k-tiles that the width stands for
    bool axis = false; // below: their numbers
};
struct LaneUnder {
    PartUnder part;
    std::optional<std::size_t> idle; // the lane, where it has no work any more
};
LaneUnder draw_work_lanes(const WorkChart& chart, KeptPixels<PaintedLanes>& image, const draw::Box& box);

} // namespace viz
