// What is noted on the GPU beside the instructions of a traced launch. Shared by the patches, which run on the GPU, and by the
// program that reads them, so nothing is included here.
#pragma once

namespace injection {

using Byte4 = unsigned int;
using Byte8 = unsigned long long;

inline constexpr unsigned lanes = 32;
inline constexpr unsigned most_blocks = 16; // that can be recorded in full in one launch

enum class EventKind : Byte4 {
    none,
    global_access, // also atomics: both flags
    shared_access,
    local_access,
    remote_shared_access, // of another block of the cluster
    matrix_access,        // ldmatrix and stmatrix; flags >> 16: how many matrices
    copy_read,            // cp.async: addresses in global memory; the event after it has those in shared memory
    copy_write,
    copy_commit,
    copy_wait, // size: so many groups may still be under way
    barrier,   // size: threads expected, 0: all; flags: the barrier's number
    shuffle,
    mbarrier_arrive, // address: of the barrier, the same for every lane
    mbarrier_wait,
    warpgroup_multiply, // wgmma: address[0], size: B in shared memory; address[1], flags: A, 0 bytes where it is in registers
    warpgroup_wait, // size: so many groups may still be under way
    bulk_read,      // cp.async.bulk: address[0] global, address[1] shared memory; size: bytes
    bulk_write,
};
inline constexpr Byte4 event_kinds = 18;

// SMs whose numbers are alike in this many share a place in the table of totals: atomics on one address wait for each other.
// The place's key is the instruction's address, a multiple of 16, plus the number.
inline constexpr Byte4 sharers = 16;

inline constexpr Byte4 flag_read = 1, flag_write = 2;

// Bits of an address of shared memory that count from the start of a block's window; those above number the block in its
// cluster.
inline constexpr Byte8 shared_offset_bits = 0xffffff;

// One instruction of one warp of a chosen block. Addresses of global memory are those of the program. Lanes that are not in
// the mask have no address.
struct Event {
    Byte8 pc;
    EventKind kind;
    Byte4 size; // bytes per lane, where it is an access
    Byte4 flags;
    Byte4 mask;
    Byte4 warp;
    Byte4 unused;
    Byte8 address[lanes];
};

// One instruction, over all blocks of the launch. Shared memory by the rule of kernels/model, global memory by its sectors.
struct InstructionTotals {
    Byte8 pc; // in the table on the GPU: the key; 0: an empty place
    Byte8 executed;
    Byte8 lanes_active;
    Byte8 wavefronts, groups; // of shared memory; groups that hold an active lane: the least that it could take
    Byte8 sectors;            // of global memory
    Byte8 not_lowest;         // all bits of the lowest address turned over, so that 0 stands for none yet
    Byte8 highest;            // last byte of the highest address
    EventKind kind;
    Byte4 size, flags, unused;
};

struct BlockRun {
    Byte8 start_ns, end_ns; // of the GPU's global timer
    Byte4 sm, unused;
};

// What the patches are handed: in the GPU's memory. A null pointer: nothing is noted.
struct Trace {
    Event* events; // events_per_block for each chosen block
    Byte8 events_per_block;
    Byte8 wanted[most_blocks]; // events that there were, more than events_per_block where they did not fit
    Byte4 block[most_blocks];  // linear
    Byte4 blocks;              // chosen
    Byte4 dynamic_shared;      // bytes, as the launch asked
    Byte4 static_shared;
    Byte4 table_size; // a power of two
    Byte8 not_in_table;
    InstructionTotals* table; // by hash of the key
    BlockRun* runs;           // of each block of the grid, linear
};

} // namespace injection
