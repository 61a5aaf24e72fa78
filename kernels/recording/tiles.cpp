#include "recording/tiles.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace recording {

namespace {

constexpr uint32_t least_side = 128, least_tiles = 2, least_k_tiles = 8;

// Returns the value of the first of these parameters that exists.
uint32_t extent_of(const std::vector<Parameter>& parameters, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        for (const Parameter& parameter : parameters)
            if (parameter.name == name && parameter.value > 0)
                return static_cast<uint32_t>(parameter.value);
    return 1;
}

uint32_t whole_extent(uint32_t tile, uint32_t least_count)
{
    return std::max(least_count, (least_side + tile - 1) / tile) * tile;
}

// Keeps at least half of the last tile. The extent is odd, so no 16-byte access fits its rows.
uint32_t ragged_extent(uint32_t whole, uint32_t tile)
{
    const uint32_t less = whole - tile / 3 - 1;
    return less % 2 != 0 ? less : tile > 3 ? less + 1 : less - 1;
}

} // namespace

Tiles tiles_named(const std::vector<Parameter>& parameters)
{
    return {.rows = extent_of(parameters, {"BM", "tile", "block"}),
            .cols = extent_of(parameters, {"BN", "tile", "block"}),
            .depth = extent_of(parameters, {"BK", "tile"})};
}

Problem whole_problem(const Tiles& tiles)
{
    return {.M = whole_extent(tiles.rows, least_tiles),
            .N = whole_extent(tiles.cols, least_tiles),
            .K = whole_extent(tiles.depth, least_k_tiles)};
}

Problem ragged_problem(const Tiles& tiles)
{
    const Problem whole = whole_problem(tiles);
    return {.M = ragged_extent(whole.M, tiles.rows),
            .N = ragged_extent(whole.N, tiles.cols),
            .K = ragged_extent(whole.K, tiles.depth)};
}

namespace {

// Returns whether Access::array is always a tile. For bulk copies and WMMA it can also be a matrix in global memory.
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
