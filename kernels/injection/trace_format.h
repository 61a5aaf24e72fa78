// Data that patched instructions of a traced launch record on the GPU. The patches, which run on the GPU, and the
// program that reads the data share this file, so it includes nothing.
#pragma once

namespace injection {

using Byte4 = unsigned int;
using Byte8 = unsigned long long;

inline constexpr unsigned lanes = 32;
inline constexpr unsigned most_blocks = 16; // maximum number of blocks recorded in full per launch

enum class EventKind : Byte4 {
    none,
    global_access, // atomics have both flags
    shared_access,
    remote_shared_access, // in another block of the cluster
    matrix_access,        // ldmatrix and stmatrix; flags >> 16: number of matrices
    copy_read,            // cp.async: addresses in global memory; the next event has those in shared memory
    copy_write,
    copy_commit,
    copy_wait, // size: number of groups that may still be pending
    barrier,   // size: expected threads, 0: all; flags: the barrier's number
    shuffle,
    mbarrier_arrive, // address: of the barrier, the same for every lane
    mbarrier_wait,
    // For wgmma: address[0] and size describe B in shared memory; address[1] and flags describe A (0 bytes: in
    // registers).
    warpgroup_multiply,
    warpgroup_wait, // size: number of groups that may still be pending
    bulk_read,      // cp.async.bulk: address[0] in global, address[1] in shared memory; size: bytes
    bulk_write,
};
inline constexpr Byte4 event_kinds = 17;

// SMs with the same number modulo `sharers` share an entry in the table of totals. Several entries per instruction
// reduce contention, because atomics on one address wait for each other. An entry's key is the instruction's address, a
// multiple of 16, plus the SM's number modulo `sharers`.
inline constexpr Byte4 sharers = 16;

inline constexpr Byte4 flag_read = 1, flag_write = 2;

// Selects the offset in a block's window from a shared memory address. The higher bits number the cluster's blocks.
inline constexpr Byte8 shared_offset_bits = 0xffffff;

// One instruction executed by one warp of a chosen block. Addresses of global memory are the program's. Lanes outside
// the mask have no address.
struct Event {
    Byte8 pc;
    EventKind kind;
    Byte4 size; // bytes per lane, if it is an access
    Byte4 flags;
    Byte4 mask;
    Byte4 warp;
    Byte4 unused;
    Byte8 address[lanes];
};

// Totals of one instruction over all blocks of the launch. Shared memory is counted by the rule of kernels/model,
// global memory by its sectors.
struct InstructionTotals {
    Byte8 pc; // key in the table on the GPU; 0: an empty entry
    Byte8 executed;
    Byte8 lanes_active;
    // For shared memory: wavefronts, and groups with an active lane, which are the minimum of wavefronts. For atomic
    // operations, also those on global memory, `wavefronts` counts the lanes that wait for each other. For those on
    // shared memory, `groups` counts the wavefronts if lanes of one word are served together, `sectors` if they are not.
    Byte8 wavefronts, groups;
    Byte8 sectors;    // for global memory
    Byte8 not_lowest; // bitwise complement of the lowest address, so that 0 means none yet
    Byte8 highest;    // last byte of the highest access
    EventKind kind;
    Byte4 size, flags, unused;
};

struct BlockRun {
    Byte8 start_ns, end_ns; // GPU's global timer
    Byte4 sm, unused;
};

// Data for the patches, in the GPU's memory. If a pointer is null, nothing is recorded.
struct Trace {
    Event* events; // events_per_block entries per chosen block
    Byte8 events_per_block;
    Byte8 wanted[most_blocks]; // number of events; more than events_per_block if they did not fit
    Byte4 block[most_blocks];  // linear index
    Byte4 blocks;              // number of chosen blocks
    Byte4 dynamic_shared;      // in bytes, as requested by the launch
    Byte4 static_shared;
    Byte4 table_size; // a power of two
    Byte8 not_in_table;
    InstructionTotals* table; // indexed by a hash of the key
    BlockRun* runs;           // one per block of the grid, by linear index
};

} // namespace injection
