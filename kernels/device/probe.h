// A probe observes every access of a kernel to memory. Kernels are templates over the probe:
//   NoProbe      observes nothing and costs nothing: this form is timed.
//   CountProbe   sums the cost of the accesses per source line, over the whole launch.
//   RecordProbe  keeps every address of chosen blocks, and the owners of the whole launch.
//   PlaceProbe   keeps where and when each block ran. It observes no access, so blocks run as with NoProbe.
// `active` is false for a lane whose guard is false: all lanes of a warp that have not returned make the same accesses
// in the same order. `transposed` is meaningful for ldmatrix only.
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
