// The functions of device/ptx.h on the CPU; that file documents them. A warp collective that only some lanes reach is
// an Error that names the line.
#pragma once

#include "device/element.h"

#include <memory>

namespace ptx {

inline void griddepcontrol_launch_dependents() {} // kernels run one after another
inline void griddepcontrol_wait() {}

float shfl_idx(uint32_t lanes, float value, int source, int line);
inline void sync_warp(int line)
{
    shfl_idx(~0u, 0, 0, line); // synchronizes the lanes
}

// The copy is made when the thread waits for its group, so a kernel that waits too late reads the old data. A thread
// that returns without having waited is an Error that names the line.
void cp_async_16(void* to, const void* from, bool inside, int line);
void cp_async_4(void* to, const void* from, bool inside, int line);
void cp_async_commit_group(int line);
void wait_for_copies(int pending, int line);

template <int pending>
void cp_async_wait_group(int line)
{
    wait_for_copies(pending, line);
}

void load_matrices(uint32_t (&to)[4], const void* row, bool transposed, int line);

template <bool transposed>
void ldmatrix_x4(uint32_t (&to)[4], const void* row, int line)
{
    load_matrices(to, row, transposed, line);
}

void mma(Half, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int line);
void mma(Bfloat16, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int line);
void mma(Tf32, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int line);

// Memory of the block, which runs on one operating-system thread. It is allocated on use: as thread-local storage,
// every thread of the program would pay for the largest tiles of all kernels.
template <class Tiles>
Tiles& dynamic_shared()
{
    static thread_local const std::unique_ptr<Tiles> tiles = std::make_unique<Tiles>();
    return *tiles;
}

} // namespace ptx
