// The cost of one warp instruction, computed by the warp itself: the rule of model/access_cost.h, with each lane
// holding its own address. `lanes` are the lanes that exist; all of them that have not returned must call together, and
// all get the same result. `active` are the lanes that take part in the access.
#pragma once

#include "device/platform.h"
#include "device/probe_state.h"

namespace warp_cost {

struct Shared {
    uint32_t wavefronts, conflicts;
};

constexpr uint32_t every_lane = ~0u;

// Returns how many groups of `size` neighboring lanes (8, 16 or 32) have a bit set.
__device__ inline uint32_t groups_with(uint32_t bits, int size)
{
    if (size == 32)
        return bits != 0;
    bits |= bits >> 4;
    bits |= bits >> 2;
    bits |= bits >> 1;
    if (size == 8)
        return __popc(bits & 0x01010101u);
    bits |= bits >> 8;
    return __popc(bits & 0x00010001u);
}

// Returns true in the lowest of the lanes with this key.
__device__ inline bool is_first_of(uint32_t lanes, uint32_t lane, uint32_t key)
{
    const uint32_t equal = __match_any_sync(lanes, key);
    return (equal & ((1u << lane) - 1)) == 0;
}

// For loads of 8 and 16 bytes: returns whether all pairs of lanes x apart, if both are active, have the same address.
__device__ inline bool pairs_agree(uint32_t lanes, uint32_t lane, uint32_t active, uint32_t offset, int x)
{
    const uint32_t other = __shfl_xor_sync(lanes, offset, x);
    const bool both = (active >> lane & 1) != 0 && (active >> (lane ^ x) & 1) != 0;
    return __all_sync(lanes, !both || other == offset) != 0;
}

// Returns the number of neighboring lanes that are served together.
__device__ inline int lanes_per_group(uint32_t lanes, uint32_t lane, uint32_t active, uint32_t offset, int width,
                                      bool store)
{
    if (width == 4)
        return 32;
    const bool merged =
        !store && (pairs_agree(lanes, lane, active, offset, 1) || pairs_agree(lanes, lane, active, offset, 2));
    return (width == 8 ? 16 : 8) * (merged ? 2 : 1);
}

// The two most common accesses of 4 bytes: the same word for all lanes, or neighboring words.
__device__ inline bool is_plain(uint32_t lane, uint32_t active, uint32_t offset, int width)
{
    if (width != 4 || active != every_lane)
        return false;
    const uint32_t words = (offset - __shfl_sync(every_lane, offset, 0)) / 4;
    return __all_sync(every_lane, words == 0) || __all_sync(every_lane, words == lane);
}

__device__ inline Shared shared(uint32_t lanes, uint32_t lane, uint32_t active, uint32_t offset, int width, bool store)
{
    if (is_plain(lane, active, offset, width))
        return {1, 0};
    const int size = lanes_per_group(lanes, lane, active, offset, width, store);
    const uint32_t group = lane / size;
    const uint32_t chunk = offset / width;
    const bool taking_part = (active >> lane & 1) != 0;

    // Lanes of a group that access the same chunk are served at once: the first represents all. Chunks of a group with
    // the same banks are served one after another. The other lanes get unique keys.
    const uint32_t alone = 0xffff0000u | lane;
    const bool first = is_first_of(lanes, lane, taking_part ? group << 24 | chunk : alone) && taking_part;
    const uint32_t bank_group = chunk % (128 / width);
    const uint32_t rivals = __match_any_sync(lanes, first ? group << 24 | bank_group : alone);
    const uint32_t waiting = first ? __popc(rivals) : 0;

    // A group with n rivals takes part in rounds 1 to n.
    uint32_t wavefronts = 0, served = 0;
    for (uint32_t round = 1; (served = __ballot_sync(lanes, waiting >= round)) != 0; ++round)
        wavefronts += groups_with(served, size);
    return {wavefronts, wavefronts - groups_with(active, size)};
}

// The same, but compares the lanes' addresses with each other only if the pattern is not the known one, and then stores
// it there. A kernel's inner loop repeats the same few patterns. Adding a constant to all addresses rotates the banks
// but keeps different banks different, so a pattern consists of the distances between the addresses.
__device__ inline Shared shared(uint32_t lanes, uint32_t lane, uint32_t active, uint32_t offset, int width, bool store,
                                KnownPattern& known)
{
    const uint32_t kind = width << 1 | (store ? 1u : 0u);
    const uint32_t distance = offset - __shfl_sync(lanes, offset, __ffs(active) - 1);
    const bool same =
        active == known.active && kind == known.kind && ((active >> lane & 1) == 0 || distance == known.distance);
    if (!__all_sync(lanes, same)) {
        const Shared cost = shared(lanes, lane, active, offset, width, store);
        known = {active, distance, kind, cost.wavefronts | cost.conflicts << 16};
    }
    return {known.cost & 0xffff, known.cost >> 16};
}

// Returns the number of distinct sectors of 32 bytes. The array starts on a sector boundary, as every allocation does,
// and no lane's bytes cross one, so each lane touches one sector. A sector's number must fit in 32 bits (128 GiB).
__device__ inline uint32_t sectors(uint32_t lanes, uint32_t lane, uint32_t active, uint64_t offset)
{
    const uint32_t sector = static_cast<uint32_t>(offset / 32);
    if (active == every_lane) { // usually addresses ascend with the lanes; then only neighbors need comparing
        const uint32_t before = __shfl_up_sync(every_lane, sector, 1); // lane 0 gets its own
        if (__all_sync(every_lane, sector >= before))
            return 1 + __popc(__ballot_sync(every_lane, sector != before));
    }
    const bool taking_part = (active >> lane & 1) != 0;
    const bool first = is_first_of(lanes, lane, taking_part ? sector : ~0u) && taking_part;
    return __popc(__ballot_sync(lanes, first));
}

// For a copy that bypasses L1: see model::copy_read. `from` is the sector, with bit 31 set for its upper half; `to` is
// a byte offset in shared memory. A sector's number must fit in 31 bits (64 GiB).
__device__ inline uint32_t copied_sectors(uint32_t lanes, uint32_t lane, uint32_t active, uint32_t from, uint32_t to)
{
    const bool taking_part = (active >> lane & 1) != 0;
    // If several lanes write the same 16 bytes, only the first lane's are fetched. The others get unique keys.
    const uint32_t alone = 0xffff0000u | lane;
    const bool first = is_first_of(lanes, lane, taking_part ? to / 16 : alone) && taking_part;
    const uint32_t moved = (from >> 31) ^ (to / 16 & 1);
    const uint32_t same_place = __match_any_sync(lanes, first ? to / 32 << 1 | moved : alone);
    const uint32_t same_sector = __match_any_sync(lanes, first ? from & 0x7fffffffu : alone);
    const bool fetched = first && (same_place & same_sector & ((1u << lane) - 1)) == 0;
    return __popc(__ballot_sync(lanes, fetched));
}

} // namespace warp_cost
