// The block of threads that runs the kernel body: its barrier, and the probe that its views report to.
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

    // Waits for all threads of the block, and makes their shared-memory writes visible to each other.
    __device__ void sync(int line = __builtin_LINE())
    {
        probe.barrier(line);
        __syncthreads();
    }

    // The second kernel of a stage may be brought to the SMs while the blocks of the first, all of which have come here,
    // still run; there it waits for their results.
    __device__ void let_second_kernel_begin() { ptx::griddepcontrol_launch_dependents(); }
    __device__ void wait_for_first_kernel() { ptx::griddepcontrol_wait(); }

    // The copies that this thread has started since the last commit become one group.
    __device__ void commit_copies(int line = __builtin_LINE())
    {
        probe.access(recording::Op::async_commit, 0, 0, 0, true, line);
        ptx::cp_async_commit_group(line);
    }

    // Waits until at most `pending` groups of this thread are under way, the newest ones.
    template <int pending>
    __device__ void wait_copies(int line = __builtin_LINE())
    {
        probe.access(recording::Op::async_wait, 0, 0, pending, true, line);
        ptx::cp_async_wait_group<pending>(line);
    }

    // The `value` of lane `source` of the warp. All 32 lanes must come here together.
    __device__ float shuffle(float value, int source, int line = __builtin_LINE())
    {
        probe.access(recording::Op::shuffle, 0, source, 0, true, line);
        return ptx::shfl_idx(~0u, value, source, line);
    }

    // The lanes of a warp wait for each other; see ptx::sync_warp.
    __device__ void sync_warp(int line = __builtin_LINE()) { ptx::sync_warp(line); }

    // d += a * b on the tensor core, see ptx::mma. All 32 lanes must come here together.
    template <class Element>
    __device__ void multiply(Element element, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                             int line = __builtin_LINE())
    {
        probe.access(recording::Op::matrix_multiply, 0, 0, 0, true, line);
        ptx::mma(element, d, a, b, line);
    }

    Probe& probe;
    int tiles = 0; // shared tiles declared so far
};
