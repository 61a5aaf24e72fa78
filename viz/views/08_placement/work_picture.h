// The tiles of C and who adds up which part of K of them: C as a grid of tiles, cut tiles as columns of their k-tiles, and the places
// where blocks run as lanes of k-tiles done.
#pragma once

#include "viz/analysis/tile_work.h"
#include "viz/draw/draw.h"
#include "viz/gl/pixels.h"
#include "viz/marks.h"

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

// Painted anew when something of it changed.
struct WorkImage {
    const WorkCase* of = nullptr;
    std::size_t from = 0;
    double scale = 0;
    int width = 0, height = 0;
    bool dark = true;
    gl::Pixels pixels;
};

// A part of what was launched that is under the mouse.
using PartUnder = std::optional<std::size_t>;

// Each is one ImGui item with its name above, as the launch was.
PartUnder draw_work_map(const WorkPicture& picture, WorkImage& image, const draw::Box& box);
PartUnder draw_work_columns(const WorkPicture& picture, WorkImage& image, const draw::Box& box);

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
LaneUnder draw_work_lanes(const WorkChart& chart, WorkImage& image, const draw::Box& box);

} // namespace viz
