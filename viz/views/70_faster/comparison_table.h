// Two rungs' figures as pairs of bars, and whose results the threads of each hold.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/analysis/ownership.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/text/prose.h"
#include "viz/theme.h"

#include <string>
#include <vector>

namespace viz {

struct ComparisonTable {
    const ComparedRung& first;
    const ComparedRung& second;
    const Theme& theme;
    Marks* marks = nullptr; // "bar:NAME first", "bar:NAME second"
};

// Measures that are zero in both are left out, and those per multiplication where neither multiplies. Bars of a pair have
// one scale: the longer one fills the width. Returns the height; a pair under the mouse goes to `hint`.
float draw_comparison(const ComparisonTable& table, const draw::Box& box, std::string& hint);

// Of one block: its tile of C, and in it what the selected warp and lane compute.
struct BlockMapping {
    CellRect tile;
    std::vector<CellRect> warp, thread;
    uint64_t warp_results = 0, thread_results = 0;
};
BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane);

struct MappingPicture {
    const std::string& slug;
    const BlockMapping& mapping;
    Colour accent = 0;
    const Theme& theme;
};
Prose mapping_words(const MappingPicture& picture);
float draw_mapping(const MappingPicture& picture, const draw::Box& box); // returns the height

} // namespace viz
