#include "recording/check_access.h"

#include "recording/format.h"

#include <algorithm>
#include <bit>

namespace recording {

namespace {

bool takes_part(const Access& access, size_t lane)
{
    return (access.mask >> lane & 1) != 0;
}

// Checks an operation that touches no memory. `largest` is the largest of the lanes' offsets.
void check_bare(const Access& access, uint32_t largest, const Place& at)
{
    require(access.array == 0, at, "is a {} with an array", name(access.op));
    require(access.width == 0 || access.op == Op::async_wait, at, "is a {} with a width", name(access.op));
    for (size_t lane = 0; lane < warp_size; ++lane) {
        if (largest == 0)
            require(access.offset[lane] == 0, at, "is a {} with an address", name(access.op));
        else if (takes_part(access, lane))
            require(access.offset[lane] <= largest, at, "has {} in lane {}, more than {}", access.offset[lane], lane,
                    largest);
    }
}

// Checks that at every lane's offset the array has `bytes` bytes, and that the offset is a multiple of `aligned`.
void check_offsets(const Access& access, const Array& array, uint32_t bytes, uint32_t aligned, const Place& at)
{
    for (size_t lane = 0; lane < warp_size; ++lane) {
        const uint32_t offset = access.offset[lane];
        if (!takes_part(access, lane))
            continue;
        require(uint64_t{offset} + bytes <= array.bytes, at, "leaves array {} in lane {}", array.name, lane);
        require(offset % aligned == 0, at, "is not aligned to its {} bytes in lane {}", aligned, lane);
    }
}

void check_space(const Access& access, const Array& array, const Place& at)
{
    Space space = array.space; // WMMA loads and stores access either space
    switch (access.op) {
    case Op::global_load:
    case Op::global_store:
    case Op::async_load:
    case Op::global_atomic: space = Space::global; break;
    case Op::bulk_load:
    case Op::bulk_store: // bulk copies go in either direction
    case Op::tile_load:
    case Op::tile_store: break;
    default: space = Space::shared;
    }
    require(array.space == space, at, "is to array {} in the wrong space", array.name);
}

void check_addresses(const Access& access, const std::vector<Array>& arrays, const Place& at)
{
    require(access.array < arrays.size(), at, "is to array {} of {}", access.array, arrays.size());
    const Array& array = arrays[access.array];
    check_space(access, array, at);
    switch (access.op) {
    case Op::matrix_load:
    case Op::matrix_store:
        require(access.width == 16, at, "is a {} of {} bytes", name(access.op), access.width);
        return check_offsets(access, array, 16, 16, at);
    case Op::tile_load:
    case Op::tile_store:
        require(access.width > 0, at, "is {} bytes wide", access.width);
        return check_offsets(access, array, access.width, array.element_bytes, at);
    case Op::bulk_load:
    case Op::bulk_store:
        require(std::popcount(access.mask) <= 1, at, "is a {} of several lanes", name(access.op));
        return check_offsets(access, array, 1, 1, at);
    case Op::matrix_multiply: return check_offsets(access, array, 1, 1, at);
    default:
        require(std::has_single_bit(access.width) && access.width <= 16 &&
                    (access.width >= 4 || (access.op != Op::async_load && access.op != Op::async_store)),
                at, "is {} bytes wide", access.width);
        return check_offsets(access, array, access.width, access.width, at);
    }
}

} // namespace

void check_access(const Access& access, const std::vector<Array>& arrays, const Place& at)
{
    const auto kind = static_cast<int>(access.op);
    require(kind < op_count, at, "is of unknown kind {}", kind);
    require(access.transposed == Transposed::unknown ||
                (access.op == Op::matrix_load && access.transposed <= Transposed::yes),
            at, "says {} of its transposition", static_cast<int>(access.transposed));
    for (size_t lane = 0; lane < warp_size; ++lane)
        require(takes_part(access, lane) || access.offset[lane] == 0, at,
                "has an address for lane {}, which took no part", lane);
    if (has_addresses(access))
        return check_addresses(access, arrays, at);
    const bool numbered = access.op == Op::arrive || access.op == Op::wait;
    check_bare(access, access.op == Op::shuffle ? warp_size - 1 : numbered ? barrier_limit - 1 : 0, at);
}

} // namespace recording
