// What ClockProbe writes to, and the thread's own state. Host and device compile the same structs, so nothing is included and
// only built-in types are used.
#pragma once

// One step of a warp: 16 bytes, which one lane writes at once. Filled with ones beforehand, so that a step that was not
// written is told.
struct ClockStep {
    unsigned int at;    // the lower half of the SM's clock when the warp came to the step
    unsigned int since; // cycles since the probe let the warp go at the step before, or at its begin: the kernel's own
    unsigned int what;  // the operation in bits 0 to 7, the source line from bit 8 on
    unsigned int array;
};

struct ClockWarp {
    unsigned long long begin, end;       // of the SM's clock, which all of its warps read
    unsigned long long begin_ns, end_ns; // of the GPU's global timer
    unsigned int block, warp;            // linear in the grid; in the block
    unsigned int slot;                   // %warpid when it began
    unsigned int steps;                  // that it took, also those for which there was no room
    unsigned int after;                  // cycles from when the probe let it go at its last step to its end
    unsigned int unused;
};

struct ClockState {
    ClockWarp* warps;    // [most_warps], in the order in which they began
    ClockStep* steps;    // [most_warps][capacity]
    unsigned int* begun; // warps on the SM, also those for which there was no room
    unsigned int sm;     // that is watched
    unsigned int most_warps, capacity;
    // Set by begin(), of this thread. As few as can be: a register more can cost a resident block.
    unsigned int number = 0; // of its warp in `warps`; not_watched: it runs on another SM, or there is no room
    unsigned int next = 0;   // the place of its next step in `steps`
    unsigned int limit = 0;  // the first place behind its warp's; 0 for the lanes that do not write
    unsigned int left = 0;   // the clock when the probe let it go
};
inline constexpr unsigned int not_watched = ~0u;
