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
#include <utility>

namespace viz {

struct WorkPicture {
    const WorkFacts& facts;
    std::optional<uint32_t> selected; // a block, linear in the grid
    const Theme& theme;
    Marks* marks = nullptr;
};

// Of a block's part of a tile; quieter where the block has the tile for itself.
Colour work_colour(const Theme& theme, const WorkPart& part, bool whole);

// Which tiles have a column, and how much of it is in sight. First whole tiles, one after another, then those that are cut.
struct TileColumns {
    uint32_t first = 0, before = 0;  // the whole ones
    std::size_t from = 0, count = 0; // those in sight
    uint32_t depth = 1;              // k-tiles in sight
    friend bool operator==(const TileColumns&, const TileColumns&) = default;
};

using WorkMapPixels = KeptPixels<const WorkCase*>;
using WorkColumnsPixels = KeptPixels<std::pair<const WorkCase*, TileColumns>>;
using WorkLanesPixels = KeptPixels<std::pair<const WorkCase*, double>>; // k-tiles that the width stands for

// The part under the mouse: an index into TileWork::parts, of the case drawn.
using PartUnder = std::optional<std::size_t>;

std::string name_of_map(const WorkFacts& facts);
// Each is one ImGui item with its name above, as the launch was. What a frame does grows with what is in sight, not with the launch.
PartUnder draw_work_map(const WorkPicture& picture, WorkMapPixels& pixels, const draw::Box& box);
PartUnder draw_work_columns(const WorkPicture& picture, WorkColumnsPixels& pixels, const draw::Box& box);

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
LaneUnder draw_work_lanes(const WorkChart& chart, WorkLanesPixels& pixels, const draw::Box& box);

} // namespace viz
