// What one step of a warp does. Shared with device code, so nothing is included here. The values are those of a
// recording file: new ones go to the end, and make a new major version of its format.
#pragma once

namespace recording {

enum class Op : unsigned char {
    global_load,
    global_store,
    shared_load,
    shared_store,
    barrier,      // of the whole block
    shuffle,      // Access::offset: the lane whose value each lane gets
    matrix_load,  // ldmatrix: each lane offers the address of one row of 16 bytes; every 8 lanes are a phase
    async_load,   // cp.async, its read from global memory; the step after it is its write
    async_store,  // cp.async, its write to shared memory; an H200 takes more wavefronts for some than for plain stores
    async_commit, // the copies since the last commit become a group
    async_wait,   // Access::width: so many groups may still be under way
    matrix_multiply, // mma, of the whole warp, or wgmma, of four warps: then array and offset say what it reads (derived)
    tile_load,       // WMMA, opaque: lane i stands for row i of the tile, Access::width bytes long
    tile_store,
    bulk_load,     // TMA, its read from global memory, issued by one lane: offset of the box's first element (derived)
    bulk_store,    // TMA, its write to shared memory (derived)
    arrive,        // at the mbarrier that Access::offset numbers
    wait,          // for the mbarrier that Access::offset numbers
    matrix_store,  // stmatrix: each lane offers the address of one row of 16 bytes; every 8 lanes are a phase
    shared_atomic, // reads, changes and writes
    global_atomic,
};
inline constexpr int op_count = 21;
inline constexpr int access_op_count = 4; // kinds that are counted: loads and stores of global and of shared memory

} // namespace recording
