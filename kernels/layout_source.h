// Where the layout of a shared tile is written down, among the source files of a recording.
#pragma once

#include "stage.h"

namespace kernels {

struct DefinitionLines {
    std::size_t source = 0;       // index into Recording::sources
    uint32_t first = 0, last = 0; // lines, 1-based
};

// The struct or function that `layout` names; none where the recording has not that file, or it is not in there.
std::optional<DefinitionLines> find_layout(const LayoutSource& layout, const recording::Recording& recording);

// Whether an array is the tile of that name, or one of its ring: "As", "As[1]".
bool is_tile_of(std::string_view array, std::string_view tile);

} // namespace kernels
