// The kinds of steps in a warp's trace. Device code uses this file, so it includes nothing. Recording files store the
// values: append new ones at the end, and increment the major version of the format.
#pragma once

namespace recording {

enum class Op : unsigned char {
    global_load,
    global_store,
    shared_load,
    shared_store,
    barrier,         // of the whole block
    shuffle,         // Access::offset: the lane that each lane reads from
    matrix_load,     // ldmatrix: each lane supplies the address of one 16-byte row; every 8 lanes form a phase
    async_load,      // cp.async, its read from global memory; the next step is its write
    async_store,     // cp.async, its write to shared memory; on an H200 some take more wavefronts than plain stores
    async_commit,    // commits the copies since the last commit as a group
    async_wait,      // Access::width: the number of groups that may still be pending
    matrix_multiply, // mma by one warp, or wgmma by four warps, where array and offset say what it reads (derived)
    tile_load,       // WMMA, opaque: lane i represents row i of the tile, which is Access::width bytes long
    tile_store,
    bulk_load,     // TMA, its read from global memory, issued by one lane: offset of the box's first element (derived)
    bulk_store,    // TMA, its write to shared memory (derived)
    arrive,        // on mbarrier number Access::offset
    wait,          // on mbarrier number Access::offset
    matrix_store,  // stmatrix: each lane supplies the address of one 16-byte row; every 8 lanes form a phase
    shared_atomic, // read-modify-write
    global_atomic,
    constant_load, // adds to the totals; recordings have no step of it
};
inline constexpr int op_count = 22;
inline constexpr int access_op_count = 4; // the counted kinds: loads and stores of global and of shared memory

} // namespace recording
