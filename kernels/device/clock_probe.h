// The GPU's ClockProbe records when the warps of one SM reach each step. At each step that RecordProbe would keep, it
// reads the SM's clock when the warp arrives and again when the probe lets the warp continue. The time between two
// steps is therefore the kernel's own, and the probe's overhead is known. A step is recorded before its operation.
// Instructions issue in order, so the time from a load to the next step is not the load's latency, unless that step
// needs the value: a wait shows at the first use. The host fills in the state, see clock_state.h.
#pragma once

#include "device/clock_state.h"
#include "device/cuda_probes.h"

struct ClockProbe : ClockState {
    static constexpr bool traced = true;

    __device__ void begin()
    {
        number = not_watched;
        uint32_t here = 0;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
        if (here != sm)
            return;
        const uint32_t thread = position::thread(), lane = thread % 32;
        const uint32_t rest = position::threads() - (thread - lane);
        uint32_t mine = 0;
        if (lane == 0)
            mine = atomicAdd(begun, 1);
        mine = __shfl_sync(rest >= 32 ? ~0u : (1u << rest) - 1, mine, 0);
        if (mine >= most_warps)
            return;
        number = mine;
        next = mine * capacity;
        limit = 0;
        if (lane == 0) {
            limit = next + capacity;
            ClockWarp& own = warps[mine];
            own.block = position::block();
            own.warp = thread / 32;
            asm volatile("mov.u32 %0, %%warpid;" : "=r"(own.slot));
            own.begin_ns = timer();
            own.begin = clock64();
        }
        __syncwarp(rest >= 32 ? ~0u : (1u << rest) - 1);
        left = clock();
    }

    __device__ void end()
    {
        if (number == not_watched || __ffs(__activemask()) - 1 != position::thread() % 32)
            return;
        const uint64_t now = clock64();
        ClockWarp& own = warps[number];
        const uint32_t taken = next - number * capacity;
        if (atomicMax(&own.steps, taken) <= taken) // lanes with fewer steps may end later
            own.after = static_cast<uint32_t>(now) - left;
        atomicMax(&own.end, now);
        atomicMax(&own.end_ns, timer());
    }

    __device__ void access(recording::Op op, int array, uint64_t /*byte_offset*/, int /*width*/, bool /*active*/,
                           int line, bool /*transposed*/ = false)
    {
        note(static_cast<uint32_t>(op) | uint32_t(line) << 8, array);
    }

    __device__ void barrier(int line) { note(static_cast<uint32_t>(recording::Op::barrier) | uint32_t(line) << 8, 0); }

private:
    // Inlined: a call would keep the thread's state in memory and take longer. Lane 0 writes: it exists in every warp,
    // and no kernel of the ladder lets it return early; the host rejects warps where it did.
    __device__ void note(uint32_t what, int array)
    {
        if (number == not_watched)
            return;
        const uint32_t at = clock();
        if (next < limit)
            *reinterpret_cast<uint4*>(steps + next) = uint4{at, at - left, what, static_cast<uint32_t>(array)};
        ++next;
        left = clock();
    }

    // The compiler moves no memory access across these.
    __device__ static uint32_t clock()
    {
        uint32_t cycles = 0;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
        return cycles;
    }
    __device__ static uint64_t clock64()
    {
        uint64_t cycles = 0;
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
        return cycles;
    }
    __device__ static uint64_t timer()
    {
        uint64_t ns = 0;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
        return ns;
    }
};

static_assert(sizeof(ClockProbe) == sizeof(ClockState) && sizeof(ClockStep) == sizeof(uint4),
              "the host passes the state");
