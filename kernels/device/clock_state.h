// The output of ClockProbe, and the thread's own state. Host and device compile the same structs, so this file includes
// nothing and uses only built-in types.
#pragma once

// One step of a warp: 16 bytes that one lane writes at once. Memory is filled with one bits beforehand, so a step that
// was not written is recognizable.
struct ClockStep {
    unsigned int at;    // lower half of the SM's clock when the warp reached the step
    unsigned int since; // the kernel's own cycles since the probe let the warp continue at its previous step or begin
    unsigned int what;  // the operation in bits 0 to 7, the source line from bit 8 on
    unsigned int array;
};

struct ClockWarp {
    unsigned long long begin, end;       // SM's clock, which all of its warps share
    unsigned long long begin_ns, end_ns; // GPU's global timer
    unsigned int block, warp;            // linear index in the grid; index in the block
    unsigned int slot;                   // %warpid when it began
    unsigned int steps;                  // number of steps, including those that did not fit
    unsigned int after;                  // cycles from when the probe let it continue at its last step to its end
    unsigned int unused;
};

struct ClockState {
    ClockWarp* warps;    // [most_warps], in order of their begin
    ClockStep* steps;    // [most_warps][capacity]
    unsigned int* begun; // number of warps on the SM, including those that did not fit
    unsigned int sm;     // the observed SM
    unsigned int most_warps, capacity;
    // Set by begin() for this thread. There are as few as possible: one more register can cost a resident block.
    unsigned int number = 0; // index of its warp in `warps`; not_watched: on another SM, or out of room
    unsigned int next = 0;   // index of its next step in `steps`
    unsigned int limit = 0;  // end of its warp's steps; 0 for the lanes that do not write
    unsigned int left = 0;   // the clock when the probe let it continue
};
inline constexpr unsigned int not_watched = ~0u;
