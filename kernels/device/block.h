// The block of threads that runs the kernel body: its barrier, and the probe that its views report to.
#pragma once

#include "device/probe.h"

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

    Probe& probe;
    int tiles = 0; // shared tiles declared so far
};
