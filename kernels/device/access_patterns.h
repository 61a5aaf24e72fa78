// Kernels with one memory instruction of one warp at given addresses, so that the GPU's counters for a launch are those
// of the instruction. kernels/cuda/access_patterns.cpp launches them for `gemmscope model --measure`.
#pragma once

#ifdef __CUDACC__

#include "device/platform.h"

namespace access_patterns {

constexpr unsigned shared_bytes = 65536, global_bytes = 1u << 20;

struct Lanes {
    unsigned active, idle;                 // lanes that access; lanes that participate in a copy but copy nothing
    unsigned shared_at[32], global_at[32]; // byte offsets in shared memory and in `memory`
};

struct Places { // of this lane
    unsigned lane, shared;
    char* global;
    bool active, idle;
};

__device__ inline Places places(const Lanes& lanes, char* memory)
{
    extern __shared__ __align__(1024) char tile[];
    const unsigned lane = threadIdx.x;
    return {lane, static_cast<unsigned>(__cvta_generic_to_shared(tile)) + lanes.shared_at[lane],
            memory + lanes.global_at[lane], (lanes.active >> lane & 1) != 0, (lanes.idle >> lane & 1) != 0};
}

// `any` uses the loaded value; otherwise the compiler would remove the load.
template <int width>
__global__ void load_shared(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (at.active) {
        if constexpr (width == 4)
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at.shared) : "memory");
        else if constexpr (width == 8)
            asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at.shared) : "memory");
        else
            asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                         : "r"(at.shared)
                         : "memory");
    }
    reinterpret_cast<unsigned*>(memory)[at.lane] = a + b + c + d;
}

template <int width>
__global__ void store_shared(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    if (!at.active)
        return;
    if constexpr (width == 4)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(at.shared), "r"(at.lane) : "memory");
    else if constexpr (width == 8)
        asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(at.shared), "r"(at.lane) : "memory");
    else
        asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at.shared), "r"(at.lane) : "memory");
}

// Stores its result in shared memory; a store to global memory, as in the other kernels, would be counted.
template <int width>
__global__ void load_global(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (at.active) {
        if constexpr (width == 4)
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(at.global) : "memory");
        else if constexpr (width == 8)
            asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(at.global) : "memory");
        else
            asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                         : "l"(at.global)
                         : "memory");
    }
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at.shared), "r"(a + b + c + d) : "memory");
}

template <int width>
__global__ void store_global(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    if (!at.active)
        return;
    if constexpr (width == 4)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at.global), "r"(at.lane) : "memory");
    else if constexpr (width == 8)
        asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(at.global), "r"(at.lane) : "memory");
    else
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at.global), "r"(at.lane) : "memory");
}

// As the stages write it: the number of bytes to copy is a value, 0 for lanes outside a matrix.
template <int width, bool bypass>
__global__ void copy_async(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    const int bytes = at.active ? width : 0;
    if (at.active || at.idle) {
        if constexpr (bypass)
            asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(at.shared), "l"(at.global), "n"(width),
                         "r"(bytes)
                         : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(at.shared), "l"(at.global), "n"(width),
                         "r"(bytes)
                         : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// Each lane supplies the address of a 16-byte row; x1 uses those of lanes 0 to 7, x2 those of lanes 0 to 15.
template <int matrices, bool transposed>
__global__ void store_matrix(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    if constexpr (matrices == 1 && transposed)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at.shared), "r"(at.lane)
                     : "memory");
    else if constexpr (matrices == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at.shared), "r"(at.lane) : "memory");
    else if constexpr (matrices == 2 && transposed)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %1};" ::"r"(at.shared), "r"(at.lane)
                     : "memory");
    else if constexpr (matrices == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %1};" ::"r"(at.shared), "r"(at.lane)
                     : "memory");
    else if constexpr (transposed)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at.shared),
                     "r"(at.lane)
                     : "memory");
    else
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at.shared), "r"(at.lane)
                     : "memory");
}

__global__ void add_and_fetch(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    unsigned before = 0;
    if (at.active)
        asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(at.shared), "r"(at.lane) : "memory");
    reinterpret_cast<unsigned*>(memory)[at.lane] = before;
}

__global__ void add(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    if (at.active)
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at.shared), "r"(at.lane) : "memory");
}

__global__ void compare_and_swap(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    unsigned before = 0;
    if (at.active)
        asm volatile("atom.shared.cas.b32 %0, [%1], %2, %2;" : "=r"(before) : "r"(at.shared), "r"(at.lane) : "memory");
    reinterpret_cast<unsigned*>(memory)[at.lane] = before;
}

// There is no such instruction: it is a loop of compare-and-swaps.
__global__ void add_float(Lanes lanes, char* memory)
{
    const Places at = places(lanes, memory);
    if (at.active)
        asm volatile("red.shared.add.f32 [%0], %1;" ::"r"(at.shared), "f"(1.0f) : "memory");
}

// ---- How long shared memory takes for a pattern. One block of `timed_warps` warps, each of whose warps makes the pattern's access.

constexpr int timed_warps = 16, chain_loads = 256, stream_accesses = 512; // of each warp

struct Cycles { // of the whole chain, of the whole stream; as kernels/cuda/pattern_times.cpp has them
    unsigned long long chain, stream;
};

// The first word of what the lane loads. Volatile: else ptxas leaves out what is loaded for nothing, and all but the last of equal stores.
template <int width>
__device__ inline unsigned load_word(unsigned at)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if constexpr (width == 4)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(at) : "memory");
    else if constexpr (width == 8)
        asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at) : "memory");
    else
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(at)
                     : "memory");
    return a;
}

template <int width>
__device__ inline void store_word(unsigned at, unsigned value)
{
    if constexpr (width == 4)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
    else if constexpr (width == 8)
        asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %1};" ::"r"(at), "r"(value) : "memory");
    else
        asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(value) : "memory");
}

// All lanes take part. Each lane's place holds its own address, so that a chain of loads makes one access again and again.
template <int width, bool loads>
__global__ void time_shared(Lanes lanes, char* memory)
{
    extern __shared__ __align__(1024) char tile[];
    const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + lanes.shared_at[threadIdx.x % 32];
    store_word<width>(own, own);
    __syncthreads();
    Cycles took{0, 0};
    unsigned at = own;
    if (loads && threadIdx.x < 32) {
        const long long start = clock64();
#pragma unroll 16
        for (int i = 0; i < chain_loads; ++i)
            at = load_word<width>(at);
        if (at == own) // always: so the chain has ended before the clock is read
            took.chain = static_cast<unsigned long long>(clock64() - start);
    }
    __syncthreads();
    const long long start = clock64();
#pragma unroll 8
    for (int i = 0; i < stream_accesses; ++i) {
        if constexpr (loads)
            load_word<width>(own);
        else
            store_word<width>(own, own);
    }
    __syncthreads();
    took.stream = static_cast<unsigned long long>(clock64() - start);
    if (threadIdx.x == 0)
        *reinterpret_cast<Cycles*>(memory) = took;
}

} // namespace access_patterns

#endif
