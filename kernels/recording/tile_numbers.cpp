#include "recording/tile_numbers.h"

#include <algorithm>

namespace recording {

namespace {

// Returns whether the operation refers to a tile by number; bulk copies and WMMA tiles can also refer to global memory.
bool names_tile(Op op)
{
    switch (op) {
    case Op::shared_load:
    case Op::shared_store:
    case Op::matrix_load:
    case Op::matrix_store:
    case Op::async_store:
    case Op::shared_atomic: return true;
    default: return false;
    }
}

} // namespace

void number_tiles(Recording& recording)
{
    const auto first = std::ranges::find(recording.arrays, Space::shared, &Array::space);
    const auto count = std::ranges::count(recording.arrays, Space::shared, &Array::space);
    const auto from = first - recording.arrays.begin();
    if (count == 0)
        return;
    for (BlockTrace& block : recording.blocks)
        for (WarpTrace& warp : block.warps)
            for (Access& access : warp.accesses)
                if (names_tile(access.op) && access.array >= from + count)
                    access.array = static_cast<uint8_t>(from + (access.array - from) % count);
}

} // namespace recording
