// What the GPU's probes hold: pointers into device memory, filled in by the host (kernels/cuda), and the thread's own
// state. Host and device compile the same structs, so nothing is included and only built-in types are used.
#pragma once

// Counters per source line and operation: instructions, wavefronts, conflicts (shared) or requests, sectors (global).
inline constexpr unsigned int counters_per_op = 3;
inline constexpr unsigned int counters_per_line = 4 * counters_per_op;

// What a warp's access to shared memory costs, with what it depends on; see warp_cost.h.
struct KnownPattern {
    unsigned int active;   // the lanes that took part; none: nothing is known
    unsigned int distance; // in bytes, of this lane's address from that of the first active one
    unsigned int kind;     // width and direction
    unsigned int cost;     // wavefronts, and from bit 16 on conflicts
};

struct CountState {
    unsigned long long* totals; // [replica][line][operation][counter]
    const int* chosen;          // per block of the grid: its number among the chosen blocks, or -1; null: none chosen
    unsigned int* steps;        // [chosen block][warp]: accesses and barriers of that warp
    unsigned int lines;         // of the source file, plus 1: lines are counted from 1
    unsigned int replicas;      // a power of two: blocks add to different copies, so that they rarely meet
    // Set by begin(), of this thread's warp.
    unsigned int lanes, step; // the lanes that exist; the steps so far
    KnownPattern known[4];    // the last patterns, by source line
    unsigned int copied,
        copies; // of the copy whose write comes next: this lane's sector, with the half in bit 31; whether
};

// One step of one warp in a trace: two words of header, then an offset per lane. The first word has the operation in
// bits 0 to 7, the array in 8 to 15, the width in 16 to 23, and whether an ldmatrix transposes; the second the line. Filled with ones beforehand, so that
// an offset of ~0 says that the lane took no part or had returned, and a header of ~0 that the warp never came here.
inline constexpr unsigned int not_active = ~0u;
inline constexpr unsigned int slot_header_words = 2;
inline constexpr unsigned int slot_transposed_bit = 24;
inline constexpr unsigned int slot_words = slot_header_words + 32;

struct BlockTimes {
    unsigned long long start, end; // of the GPU's global timer, in nanoseconds
    unsigned int sm, unused;
};

struct RecordState {
    const int* chosen;          // as in CountState
    unsigned int* trace;        // [chosen block][warp][step][slot_words]
    unsigned int* overflow;     // becomes 1 when a warp takes more than `capacity` steps
    unsigned int* owner;        // per element of C: block (linear) * threads per block + thread (linear)
    unsigned int capacity;      // steps per warp
    unsigned int element_bytes; // of C
    // Set by begin(), of this thread.
    unsigned int thread_in_grid, lane, step;
};

// A pointer alone, which lies in constant memory: no register holds anything of the probe while the kernel's body runs.
struct PlaceState {
    BlockTimes* times; // per block of the grid; `end` is 0 or of an earlier launch
};
