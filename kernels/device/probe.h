// A probe sees every access of a kernel on its way to memory. Kernels are templates over it:
//   NoProbe      sees nothing and costs nothing: this form is what gets timed.
//   CountProbe   adds up, per source line and over the whole launch, what the accesses cost.
//   RecordProbe  keeps every address of chosen blocks, and the whole launch's owners.
//   PlaceProbe   keeps where and when each block ran, and sees no access, so that the blocks run as those of NoProbe do.
// `active` is false for a lane that is held back by its guard: all lanes of a warp that have not returned pass through
// the same accesses in the same order. `transposed` is asked of ldmatrix only.
#pragma once

#include "device/platform.h"
#include "recording/op.h"

struct NoProbe {
    static constexpr bool traced = false;

    __device__ void begin() {}
    __device__ void end() {}
    __device__ void access(recording::Op, int /*array*/, uint64_t /*byte_offset*/, int /*width*/, bool /*active*/,
                           int /*line*/, bool /*transposed*/ = false)
    {
    }
    __device__ void barrier(int /*line*/) {}
};
