// The GPU's CountProbe, RecordProbe and PlaceProbe (see probe.h). The host fills in the state, see probe_state.h.
#pragma once

#include "device/probe.h"
#include "device/probe_state.h"
#include "device/views.h"
#include "device/warp_cost.h"

namespace position { // of a thread and its block, as linear indices with x varying fastest

__device__ inline uint32_t thread()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline uint32_t threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
__device__ inline uint32_t warps()
{
    return (threads() + 31) / 32;
}
__device__ inline uint32_t block()
{
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

} // namespace position

// Sums the cost of the accesses. Its end() must stay empty: lanes that return early then leave the warp at once, and
// the others do not wait for them. With code in end(), the compiler may gather the lanes before it.
struct CountProbe : CountState {
    static constexpr bool traced = true;

    __device__ void begin()
    {
        const uint32_t thread = position::thread();
        const uint32_t left = position::threads() - (thread - thread % 32);
        lanes = left >= 32 ? ~0u : (1u << left) - 1;
        step = 0;
        const uint32_t block = position::block();
        totals += size_t(block & (replicas - 1)) * lines * counters_per_line;
        const int number = chosen ? chosen[block] : -1;
        steps = number < 0 ? nullptr : steps + number * position::warps() + thread / 32;
    }

    __device__ void end() {}

    __device__ void access(recording::Op op, int /*array*/, uint64_t byte_offset, int width, bool active, int line,
                           bool /*transposed*/ = false)
    {
        count_step();
        if (static_cast<uint32_t>(line) >= lines)
            return;
        if (op == recording::Op::async_load && width == 16) { // bypasses L1: its cost depends on the destination
            copied = static_cast<uint32_t>(byte_offset / 32) | (byte_offset % 32 >= 16 ? 1u << 31 : 0);
            copies = active;
            return;
        }
        if (op == recording::Op::async_store && width == 16) {
            count_copy(lanes, copied, copies, static_cast<uint32_t>(byte_offset), totals + line * counters_per_line);
            return;
        }
        const int kind = counted_as(op);
        if (kind < 0)
            return;
        unsigned long long* counters = totals + (line * 4 + kind) * counters_per_op;
        if (kind <= static_cast<int>(recording::Op::global_store))
            count_global(lanes, byte_offset, active, counters);
        else // consecutive lines usually repeat their own patterns in turn
            known[line % 4] = count_shared(lanes, static_cast<uint32_t>(byte_offset), width, active,
                                           op != recording::Op::shared_load, counters, known[line % 4]);
    }

    __device__ void barrier(int /*line*/) { count_step(); }

private:
    // Returns the counted kind of the operation, like recording::counted_as on the host; -1: none.
    __device__ static int counted_as(recording::Op op)
    {
        switch (op) {
        case recording::Op::global_load:
        case recording::Op::async_load: return static_cast<int>(recording::Op::global_load);
        case recording::Op::global_store: return static_cast<int>(recording::Op::global_store);
        case recording::Op::shared_load:
        case recording::Op::matrix_load: return static_cast<int>(recording::Op::shared_load);
        case recording::Op::shared_store: return static_cast<int>(recording::Op::shared_store);
        default: return -1;
        }
    }

    // Every lane of the warp writes the same number. Only chosen blocks count.
    __device__ void count_step()
    {
        if (steps)
            *steps = ++step;
    }

    // Not inlined: an unrolled body has a hundred accesses, and with the arithmetic inlined into each, NVRTC took 2.1 s
    // for the stage vectorized. The results of the atomics are unused, so they become reductions that L2 performs.
    __device__ __noinline__ static void count_global(uint32_t lanes, uint64_t offset, bool active,
                                                     unsigned long long* counters)
    {
        const uint32_t lane = position::thread() % 32;
        const uint32_t active_lanes = __ballot_sync(lanes, active);
        if (active_lanes == 0)
            return;
        const uint32_t sectors = warp_cost::sectors(lanes, lane, active_lanes, offset);
        if (lane == __ffs(active_lanes) - 1) {
            atomicAdd(counters, 1);
            atomicAdd(counters + 1, sectors);
        }
    }

    __device__ __noinline__ static void count_copy(uint32_t lanes, uint32_t from, uint32_t copies, uint32_t to,
                                                   unsigned long long* counters)
    {
        const uint32_t lane = position::thread() % 32;
        const uint32_t active_lanes = __ballot_sync(lanes, copies != 0);
        if (active_lanes == 0)
            return;
        const uint32_t sectors = warp_cost::copied_sectors(lanes, lane, active_lanes, from, to);
        if (lane == __ffs(active_lanes) - 1) { // global_load is the first of the four kinds
            atomicAdd(counters, 1);
            atomicAdd(counters + 1, sectors);
        }
    }

    // `known` is passed and returned by value: taking its address would move it from registers to memory.
    __device__ __noinline__ static KnownPattern count_shared(uint32_t lanes, uint32_t offset, int width, bool active,
                                                             bool store, unsigned long long* counters,
                                                             KnownPattern known)
    {
        const uint32_t lane = position::thread() % 32;
        const uint32_t active_lanes = __ballot_sync(lanes, active);
        if (active_lanes == 0)
            return known;
        const warp_cost::Shared cost = warp_cost::shared(lanes, lane, active_lanes, offset, width, store, known);
        if (lane == __ffs(active_lanes) - 1) {
            atomicAdd(counters, 1);
            atomicAdd(counters + 1, cost.wavefronts);
            if (cost.conflicts != 0)
                atomicAdd(counters + 2, cost.conflicts);
        }
        return known;
    }
};

// Records the accesses. Each lane writes its own part, so the lanes need not synchronize.
struct RecordProbe : RecordState {
    static constexpr bool traced = true;

    __device__ void begin()
    {
        const uint32_t thread = position::thread(), block = position::block();
        thread_in_grid = block * position::threads() + thread;
        lane = thread % 32;
        step = 0;
        const int number = chosen ? chosen[block] : -1;
        const uint32_t warp = number * position::warps() + thread / 32;
        trace = number < 0 ? nullptr : trace + size_t(warp) * capacity * slot_words;
    }

    __device__ void end() {}

    __device__ void access(recording::Op op, int array, uint64_t byte_offset, int width, bool active, int line,
                           bool transposed = false)
    {
        if (op == recording::Op::global_store && array == array_C && active)
            own(owner, byte_offset, width, element_bytes, thread_in_grid);
        keep(static_cast<uint32_t>(op) | array << 8 | width << 16 | uint32_t(transposed) << slot_transposed_bit, line,
             active, static_cast<uint32_t>(byte_offset));
    }

    __device__ void barrier(int line) { keep(static_cast<uint32_t>(recording::Op::barrier), line, true, 0); }

private:
    // Not inlined, because it has a division for each store of an unrolled body.
    __device__ __noinline__ static void own(uint32_t* owner, uint64_t byte_offset, uint32_t width,
                                            uint32_t element_bytes, uint32_t thread)
    {
        for (uint32_t i = 0; i < width / element_bytes; ++i)
            owner[byte_offset / element_bytes + i] = thread;
    }

    __device__ __noinline__ void keep(uint32_t what, int line, bool active, uint32_t offset)
    {
        if (!trace)
            return;
        if (step >= capacity) {
            *overflow = 1;
            return;
        }
        uint32_t* slot = trace + size_t(step++) * slot_words;
        slot[0] = what; // all lanes write the same value
        slot[1] = line;
        slot[slot_header_words + lane] = active ? offset : not_active;
    }
};

// Records where and when each block ran. Its first thread writes the SM and the start at once; each warp raises the
// block's end time, since it is unknown which warp ends last. The kernel's body is the same as with NoProbe, and no
// register is held meanwhile. end() reads what it needs again from the special registers, with instructions that the
// compiler does not merge with those of the body (otherwise thread_tile_1d took 48 registers instead of 40, and an SM
// held one block fewer). The host compares the resources of both kernels (recording::PlacedRun).
struct PlaceProbe : PlaceState {
    static constexpr bool traced = false;

    __device__ void begin()
    {
        if (position::thread() != 0)
            return;
        BlockTimes& own = times[position::block()];
        asm volatile("mov.u32 %0, %%smid;" : "=r"(own.sm));
        own.start = now();
    }

    // Lanes that returned early end before the rest of their warp, so each group of lanes writes its own end.
    __device__ void end()
    {
        uint32_t lane = 0, x = 0, y = 0, z = 0;
        asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
        if (lane != __ffs(__activemask()) - 1)
            return;
        asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(x));
        asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(y));
        asm volatile("mov.u32 %0, %%ctaid.z;" : "=r"(z));
        BlockTimes& own = times[x + gridDim.x * (y + gridDim.y * z)];
        asm volatile("red.global.max.u64 [%0], %1;" ::"l"(&own.end), "l"(now()) : "memory");
    }

    __device__ void access(recording::Op, int /*array*/, uint64_t /*byte_offset*/, int /*width*/, bool /*active*/,
                           int /*line*/, bool /*transposed*/ = false)
    {
    }
    __device__ void barrier(int /*line*/) {}

private:
    __device__ static uint64_t now()
    {
        uint64_t time;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
        return time;
    }
};

static_assert(sizeof(CountProbe) == sizeof(CountState) && sizeof(RecordProbe) == sizeof(RecordState) &&
                  sizeof(PlaceProbe) == sizeof(PlaceState),
              "the host passes the states");
