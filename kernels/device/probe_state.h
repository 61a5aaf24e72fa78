// The state of the GPU's probes: pointers into device memory, which the host fills in (kernels/cuda), and the thread's
// own state. Host and device compile the same structs, so this file includes nothing and uses only built-in types.
#pragma once

// Counters per source line and operation: instructions, wavefronts, conflicts (shared) or requests, sectors (global).
inline constexpr unsigned int counters_per_op = 3;
inline constexpr unsigned int counters_per_line = 4 * counters_per_op;

// The cost of a warp's access to shared memory, and the properties that determine it; see warp_cost.h.
struct KnownPattern {
    unsigned int active;   // the lanes that took part; none: the entry is empty
    unsigned int distance; // in bytes, from the address of the first active lane to this lane's address
    unsigned int kind;     // width and direction
    unsigned int cost;     // wavefronts; conflicts from bit 16 on
};

struct CountState {
    unsigned long long* totals; // [replica][line][operation][counter]
    const int* chosen;          // per block of the grid: its index among the chosen blocks, or -1; null: none chosen
    unsigned int* steps;        // [chosen block][warp]: number of steps (accesses and barriers) of that warp
    unsigned int lines;         // of the source file, plus 1: line numbers start at 1
    unsigned int replicas;      // a power of two: blocks add to different copies to reduce contention
    // Set by begin() for this thread's warp.
    unsigned int lanes, step; // the lanes that exist; the number of steps so far
    KnownPattern known[4];    // the last patterns, by source line
    unsigned int copied,
        copies; // for the copy whose write comes next: this lane's sector with the half in bit 31; whether it copies
};

// One step of one warp in a trace: two header words and an offset per lane. First word: operation in bits 0-7, array in
// 8-15, width in 16-23, transposition by ldmatrix in 24; second word: line. Memory is filled with ones beforehand:
// offset ~0 means that the lane took no part, header ~0 that the warp never came here.
inline constexpr unsigned int not_active = ~0u;
inline constexpr unsigned int slot_header_words = 2;
inline constexpr unsigned int slot_transposed_bit = 24;
inline constexpr unsigned int slot_words = slot_header_words + 32;

struct BlockTimes {
    unsigned long long start, end; // GPU's global timer, in nanoseconds
    unsigned int sm, unused;
};

struct RecordState {
    const int* chosen;          // as in CountState
    unsigned int* trace;        // [chosen block][warp][step][slot_words]
    unsigned int* overflow;     // set to 1 when a warp takes more than `capacity` steps
    unsigned int* owner;        // per element of C: block (linear) * threads per block + thread (linear)
    unsigned int capacity;      // steps per warp
    unsigned int element_bytes; // of C
    // Set by begin() for this thread.
    unsigned int thread_in_grid, lane, step;
};

// Only a pointer, which is in constant memory: the probe uses no register while the kernel's body runs.
struct PlaceState {
    BlockTimes* times; // per block of the grid; `end` is 0 or belongs to an earlier launch
};
