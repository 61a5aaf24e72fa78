// The probe of kernels that the PTX machine executes (kernels/ptx): it reports each access with an instruction that
// only the machine knows. The recording therefore has the accesses of the source, whatever the compiler does to them.
// Such PTX is never assembled.
#pragma once

#include "device/probe.h"

struct WatchProbe {
    static constexpr bool traced = true;

    __device__ void begin() {}
    __device__ void end() {}
    __device__ void access(recording::Op op, int array, uint64_t byte_offset, int width, bool active, int line,
                           bool transposed = false)
    {
        const int what = static_cast<int>(op) | width << 8 | int(transposed) << 16;
        asm volatile("gemmscope.access %0, %1, %2, %3, %4;" ::"r"(what), "r"(array), "l"(byte_offset), "r"(int(active)),
                     "r"(line)
                     : "memory");
    }
    __device__ void barrier(int line) { access(recording::Op::barrier, 0, 0, 0, true, line); }
};
