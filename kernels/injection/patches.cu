// Functions that run on the GPU at each traced instruction, once for each active thread. If a warp's block was chosen,
// its lanes together write one event. They also add to the totals of the instruction. NVRTC compiles these functions
// for the GPU of this machine, and the Sanitizer API calls them by name.
#include "device/warp_cost.h"
#include "trace_format.h"

namespace injection {

namespace {

__device__ unsigned lane_id()
{
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__device__ Byte8 global_timer()
{
    Byte8 time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__device__ unsigned linear_block()
{
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

__device__ unsigned linear_thread()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// One lane's part of an instruction that its warp executes.
struct WarpAccess {
    Byte8 pc;
    EventKind kind;
    Byte4 size, flags;
    Byte8 address; // of this lane
    unsigned mask = __activemask();
    unsigned lane = lane_id();
    __device__ bool leads() const { return lane == __ffs(mask) - 1u; }
};

// Writes an event. `taking_part` has the lanes with an address. The other lanes of the warp only wait.
__device__ void note_event(Trace* trace, const WarpAccess& access, unsigned taking_part)
{
    const unsigned block = linear_block();
    for (unsigned chosen = 0; chosen < trace->blocks; ++chosen) {
        if (trace->block[chosen] != block)
            continue;
        Byte8 place = 0;
        if (access.leads())
            place = atomicAdd(&trace->wanted[chosen], Byte8{1});
        place = __shfl_sync(access.mask, place, __ffs(access.mask) - 1);
        if (place >= trace->events_per_block)
            return;
        Event& event = trace->events[chosen * trace->events_per_block + place];
        event.address[access.lane] = access.address;
        if (access.leads()) {
            event.pc = access.pc;
            event.kind = access.kind;
            event.size = access.size;
            event.flags = access.flags;
            event.mask = taking_part;
            event.warp = linear_thread() / lanes;
        }
        return;
    }
}

struct Cost {
    unsigned wavefronts = 0, groups = 0, sectors = 0;
};

// Accesses of 1 or 2 bytes cost as much as accesses of the words that contain them. Only plain loads may merge
// neighbouring groups of lanes.
__device__ Cost shared_cost(const WarpAccess& access)
{
    const bool plain_load = access.flags == flag_read && access.kind == EventKind::shared_access;
    const int width = access.size < 4 ? 4 : static_cast<int>(access.size);
    const warp_cost::Shared cost = warp_cost::shared(access.mask, access.lane, access.mask,
                                                     static_cast<unsigned>(access.address), width, !plain_load);
    return {.wavefronts = cost.wavefronts, .groups = cost.wavefronts - cost.conflicts};
}

// Returns how many different values `key` has in the lanes of the access.
__device__ unsigned different(const WarpAccess& access, Byte8 key)
{
    const unsigned same = __match_any_sync(access.mask, key);
    return __popc(__ballot_sync(access.mask, access.lane == __ffs(same) - 1u));
}

// Returns the sectors that an asynchronous copy reads, by the rule of kernels/model. Copies of 16 bytes bypass L1. They
// fetch a sector once for every 32 bytes of shared memory that it goes to, and once more if its halves are swapped.
__device__ unsigned copied_sectors(const WarpAccess& access, Byte4 to)
{
    if (access.size != 16)
        return different(access, access.address / 32);
    const unsigned same_place = __match_any_sync(access.mask, to);
    // If several lanes write to one address, only the sector that the lowest of these lanes reads is fetched.
    const bool fetched = access.lane == __ffs(same_place) - 1u;
    const Byte8 swapped = ((access.address ^ to) & 16) != 0;
    const Byte8 key = (access.address / 32 << 14 | to / 32) * 2 + swapped;
    return different(access, fetched ? key : ~Byte8{0}) - (__all_sync(access.mask, fetched) ? 0 : 1);
}

// Returns the largest of the numbers that the lanes of the access have.
__device__ unsigned largest(const WarpAccess& access, unsigned number)
{
    unsigned most = 0;
    for (unsigned rest = access.mask; rest != 0; rest &= rest - 1) {
        const unsigned other = __shfl_sync(access.mask, number, __ffs(rest) - 1);
        most = other > most ? other : most;
    }
    return most;
}

// Returns how many sectors an atomic operation on global memory sends, by the rule of kernels/model: for each sector as
// many as the largest number of lanes with the same address in it.
__device__ unsigned sectors_sent(const WarpAccess& access, unsigned same_address)
{
    const unsigned same_sector = __match_any_sync(access.mask, access.address / 32);
    unsigned most = 0, sum = 0;
    for (unsigned rest = access.mask; rest != 0; rest &= rest - 1) {
        const unsigned other = __shfl_sync(access.mask, same_address, __ffs(rest) - 1);
        if ((same_sector & rest & -rest) != 0 && other > most)
            most = other;
    }
    const bool first = access.lane == __ffs(same_sector) - 1u;
    for (unsigned rest = access.mask; rest != 0; rest &= rest - 1)
        sum += __shfl_sync(access.mask, first ? most : 0, __ffs(rest) - 1);
    return sum;
}

__device__ Cost atomic_cost(const WarpAccess& access)
{
    const unsigned same_address = __popc(__match_any_sync(access.mask, access.address));
    Cost cost{.wavefronts = largest(access, same_address)};
    if (access.kind == EventKind::shared_access) {
        cost.groups = shared_cost(access).wavefronts;
        cost.sectors = largest(access, __popc(__match_any_sync(access.mask, access.address / 4 % 32)));
    } else {
        cost.sectors = sectors_sent(access, same_address);
    }
    return cost;
}

__device__ Cost cost_of(const WarpAccess& access)
{
    const bool is_access = access.kind == EventKind::shared_access || access.kind == EventKind::global_access;
    if (is_access && access.flags == (flag_read | flag_write))
        return atomic_cost(access);
    switch (access.kind) {
    case EventKind::shared_access:
    case EventKind::matrix_access: return shared_cost(access);
    case EventKind::global_access: return {.sectors = different(access, access.address / 32)};
    default: return {};
    }
}

struct Range {
    Byte8 lowest, highest;
};

__device__ Range range_of(const WarpAccess& access)
{
    Range range{access.address, access.address};
    const auto join = [&](Byte8 other) {
        range.lowest = other < range.lowest ? other : range.lowest;
        range.highest = other > range.highest ? other : range.highest;
    };
    if (access.mask != ~0u) { // lane by lane, since lanes outside the mask cannot take part in shuffles
        for (unsigned rest = access.mask; rest != 0; rest &= rest - 1)
            join(__shfl_sync(access.mask, access.address, __ffs(rest) - 1));
        return range;
    }
    for (unsigned apart = lanes / 2; apart > 0; apart /= 2) {
        const Byte8 lowest = __shfl_xor_sync(~0u, range.lowest, apart);
        join(__shfl_xor_sync(~0u, range.highest, apart));
        join(lowest);
    }
    return range;
}

// Returns the instruction's entry in the table for the group of this SM, or null if the table is full.
__device__ InstructionTotals* place_of(Trace* trace, Byte8 pc)
{
    Byte4 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    const Byte8 key = pc | sm % sharers;
    auto at = static_cast<Byte4>(key * 0x9e3779b97f4a7c15u >> 40);
    for (Byte4 tried = 0; tried < trace->table_size; ++tried, ++at) {
        InstructionTotals& place = trace->table[at & (trace->table_size - 1)];
        Byte8 there = *static_cast<volatile Byte8*>(&place.pc);
        if (there == 0)
            there = atomicCAS(&place.pc, Byte8{0}, key);
        if (there == 0 || there == key)
            return &place;
    }
    return nullptr;
}

// Reads before the atomic operation, because the range of most instructions soon stops growing.
__device__ void raise(Byte8& highest, Byte8 value)
{
    if (*static_cast<volatile Byte8*>(&highest) < value)
        atomicMax(&highest, value);
}

__device__ void add_totals(Trace* trace, const WarpAccess& access, const Cost& cost)
{
    const Range range = range_of(access);
    if (!access.leads())
        return;
    InstructionTotals* totals = place_of(trace, access.pc);
    if (totals == nullptr) {
        atomicAdd(&trace->not_in_table, Byte8{1});
        return;
    }
    totals->kind = access.kind; // the same for every warp that executes the instruction
    totals->size = access.size;
    totals->flags = access.flags;
    atomicAdd(&totals->executed, Byte8{1});
    atomicAdd(&totals->lanes_active, Byte8(__popc(access.mask)));
    if (cost.wavefronts != 0) {
        atomicAdd(&totals->wavefronts, Byte8{cost.wavefronts});
        atomicAdd(&totals->groups, Byte8{cost.groups});
    }
    if (cost.sectors != 0)
        atomicAdd(&totals->sectors, Byte8{cost.sectors});
    raise(totals->not_lowest, ~range.lowest);
    raise(totals->highest, range.highest + access.size - 1);
}

__device__ void note(void* data, const WarpAccess& access)
{
    auto* trace = static_cast<Trace*>(data);
    if (trace == nullptr)
        return;
    add_totals(trace, access, cost_of(access));
    note_event(trace, access, access.mask);
}

// Corrects the size of an instruction that loads 16 bytes and uses only 12. The Sanitizer API reports 12.
__device__ Byte4 width_of(Byte4 size)
{
    return size == 12 ? 16 : size;
}

__device__ void note(void* data, Byte8 pc, EventKind kind, const void* address, Byte4 size, Byte4 flags)
{
    note(data, {.pc = pc,
                .kind = kind,
                .size = width_of(size),
                .flags = flags & (flag_read | flag_write),
                .address = reinterpret_cast<Byte8>(address)});
}

} // namespace

} // namespace injection

using namespace injection;

// Patches return 0 so that the thread continues.
#define PATCH extern "C" __device__ __noinline__ int

PATCH gemmscope_block_enter(void* data, Byte8)
{
    auto* trace = static_cast<Trace*>(data);
    if (trace == nullptr || linear_thread() != 0)
        return 0;
    Byte4 sm, all, dynamic;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(all));
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
    trace->dynamic_shared = dynamic;
    trace->static_shared = all - dynamic;
    trace->runs[linear_block()].sm = sm;
    trace->runs[linear_block()].start_ns = global_timer();
    return 0;
}

PATCH gemmscope_block_exit(void* data, Byte8)
{
    if (auto* trace = static_cast<Trace*>(data))
        atomicMax(&trace->runs[linear_block()].end_ns, global_timer());
    return 0;
}

PATCH gemmscope_global(void* data, Byte8 pc, void* address, Byte4 size, Byte4 flags, const void*)
{
    note(data, pc, EventKind::global_access, address, size, flags);
    return 0;
}

PATCH gemmscope_shared(void* data, Byte8 pc, void* address, Byte4 size, Byte4 flags, const void*)
{
    note(data, {.pc = pc,
                .kind = EventKind::shared_access,
                .size = width_of(size),
                .flags = flags & (flag_read | flag_write),
                .address = reinterpret_cast<Byte8>(address) & shared_offset_bits});
    return 0;
}

PATCH gemmscope_remote(void* data, Byte8 pc, void* address, Byte4 size, Byte4 flags, const void*)
{
    note(data, pc, EventKind::remote_shared_access, address, size, flags);
    return 0;
}

// Only the first 8 lanes for each matrix take part, since the instruction ignores the addresses of the others.
PATCH gemmscope_matrix(void* data, Byte8 pc, Byte4 address, Byte4 size, Byte4 flags, Byte4 matrices, const void*)
{
    if (lane_id() < 8 * matrices)
        note(data, {.pc = pc,
                    .kind = EventKind::matrix_access,
                    .size = size,
                    .flags = (flags & (flag_read | flag_write)) | matrices << 16,
                    .address = address & shared_offset_bits});
    return 0;
}

PATCH gemmscope_copy(void* data, Byte8 pc, void* from, Byte4 to, Byte4 size)
{
    auto* trace = static_cast<Trace*>(data);
    if (trace == nullptr)
        return 0;
    const WarpAccess read{.pc = pc,
                          .kind = EventKind::copy_read,
                          .size = size,
                          .flags = flag_read,
                          .address = reinterpret_cast<Byte8>(from)};
    const unsigned reading = __ballot_sync(read.mask, from != nullptr); // the other lanes write zeros
    note_event(trace, read, reading);
    note_event(trace, {.pc = pc, .kind = EventKind::copy_write, .size = size, .flags = flag_write, .address = to},
               read.mask);
    if (from != nullptr) {
        WarpAccess those = read;
        those.mask = reading;
        add_totals(trace, those, {.sectors = copied_sectors(those, to)});
    }
    return 0;
}

PATCH gemmscope_copy_commit(void* data, Byte8 pc)
{
    note(data, {.pc = pc, .kind = EventKind::copy_commit});
    return 0;
}

PATCH gemmscope_copy_wait(void* data, Byte8 pc, Byte4 groups)
{
    note(data, {.pc = pc, .kind = EventKind::copy_wait, .size = groups});
    return 0;
}

PATCH gemmscope_barrier(void* data, Byte8 pc, Byte4 number, Byte4 threads, Byte4)
{
    note(data, {.pc = pc, .kind = EventKind::barrier, .size = threads, .flags = number});
    return 0;
}

PATCH gemmscope_shuffle(void* data, Byte8 pc)
{
    note(data, {.pc = pc, .kind = EventKind::shuffle});
    return 0;
}

PATCH gemmscope_mbarrier(void* data, Byte8 pc, void* barrier, Byte4 kind, Byte4)
{
    const bool arrives = kind >= 2 && kind <= 5;
    if (arrives || kind == 6)
        note(data, {.pc = pc,
                    .kind = arrives ? EventKind::mbarrier_arrive : EventKind::mbarrier_wait,
                    .address = reinterpret_cast<Byte8>(barrier)});
    return 0;
}

// Every lane has the same two addresses. The event stores B's for the first lane and A's for the second one.
PATCH gemmscope_wgmma(void* data, Byte8 pc, Byte4 a, Byte4 a_bytes, Byte4 b, Byte4 b_bytes, Byte4, Byte4 running)
{
    if (running != 0)
        note(data, {.pc = pc,
                    .kind = EventKind::warpgroup_multiply,
                    .size = b_bytes,
                    .flags = a_bytes,
                    .address = lane_id() == 1 ? a : b});
    return 0;
}

PATCH gemmscope_wgmma_wait(void* data, Byte8 pc, Byte4 groups, Byte4)
{
    note(data, {.pc = pc, .kind = EventKind::warpgroup_wait, .size = groups});
    return 0;
}

PATCH gemmscope_bulk_read(void* data, Byte8 pc, Byte8 from, Byte4 to, Byte4, Byte4 blocks, Byte4)
{
    note(data, {.pc = pc, .kind = EventKind::bulk_read, .size = (blocks & 0xffff) * 16, .flags = to, .address = from});
    return 0;
}

PATCH gemmscope_bulk_write(void* data, Byte8 pc, Byte8 to, Byte4 from, Byte4 blocks)
{
    note(data, {.pc = pc, .kind = EventKind::bulk_write, .size = blocks * 16, .flags = from, .address = to});
    return 0;
}
