// The thread block that runs the kernel body: its barrier, and the probe that its views report to.
#pragma once

#include "device/probe.h"
#include "device/ptx.h"

template <class Probe>
class Block {
public:
    __device__ explicit Block(Probe& probe) : probe(probe) { probe.begin(); }
    __device__ ~Block() { probe.end(); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    // Waits for all threads of the block, and makes their writes to shared memory visible to each other.
    __device__ void sync(int line = __builtin_LINE())
    {
        probe.barrier(line);
        __syncthreads();
    }

    // Allows the stage's second kernel to start while blocks of the first are running, once all of them have called
    // this. The second kernel then waits for the results of the first.
    __device__ void let_second_kernel_begin() { ptx::griddepcontrol_launch_dependents(); }
    __device__ void wait_for_first_kernel() { ptx::griddepcontrol_wait(); }

    // Commits the copies that this thread has started since the last commit as one group.
    __device__ void commit_copies(int line = __builtin_LINE())
    {
        probe.access(recording::Op::async_commit, 0, 0, 0, true, line);
        ptx::cp_async_commit_group(line);
    }

    // Waits until at most `pending` groups of this thread, the newest ones, have not completed.
    template <int pending>
    __device__ void wait_copies(int line = __builtin_LINE())
    {
        probe.access(recording::Op::async_wait, 0, 0, pending, true, line);
        ptx::cp_async_wait_group<pending>(line);
    }

    // Returns the `value` of lane `source` of the warp. All 32 lanes must call it together.
    __device__ float shuffle(float value, int source, int line = __builtin_LINE())
    {
        probe.access(recording::Op::shuffle, 0, source, 0, true, line);
        return ptx::shfl_idx(~0u, value, source, line);
    }

    // Synchronizes the lanes of a warp; see ptx::sync_warp.
    __device__ void sync_warp(int line = __builtin_LINE()) { ptx::sync_warp(line); }

    // d += a * b on the tensor core, see ptx::mma. All 32 lanes must call it together.
    template <class Element>
    __device__ void multiply(Element element, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                             int line = __builtin_LINE())
    {
        probe.access(recording::Op::matrix_multiply, 0, 0, 0, true, line);
        ptx::mma(element, d, a, b, line);
    }

    Probe& probe;
    int tiles = 0; // number of shared tiles declared so far
};
