// Finds the definition of a shared tile's layout in the source files of a recording.
#pragma once

#include "stage.h"

namespace kernels {

struct DefinitionLines {
    std::size_t source = 0;       // index into Recording::sources
    uint32_t first = 0, last = 0; // lines, 1-based
};

// Finds the struct or function that `layout` names. Returns nothing if the recording lacks that file or the file lacks
// the definition.
std::optional<DefinitionLines> find_layout(const LayoutSource& layout, const recording::Recording& recording);

// Returns whether an array is the tile with this name, or a tile of the ring with this name: "As", "As[1]".
bool is_tile_of(std::string_view array, std::string_view tile);

} // namespace kernels
