// Small kernels that each measure one property of the GPU: the latency of a load, bytes or multiplications per second,
// and which SMs belong together. kernels/cuda/microbenchmarks.cpp launches them and evaluates their times.
//
// A compiler removes work whose result is unused, and merges loads that it considers equal. So every load here is an
// `asm volatile`, and every sum is written to `sink` if it has a value that never occurs.
#pragma once

#ifdef __CUDACC__

#include "device/hopper.h"

namespace microbenchmarks {

struct Clocks {
    uint64_t cycles, ns;
};

__device__ inline Clocks clocks_now()
{
    Clocks now;
    asm volatile("mov.u64 %0, %clock64;" : "=l"(now.cycles)::"memory");
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now.ns)::"memory");
    return now;
}

// ---- Latency: a chain of addresses, in which each load's address is the value of the previous load.

constexpr int line_bytes = 128; // one link of the chain per cache line

// Line i points to line (5^13 i + 1) mod lines. Since `lines` is a power of two, the chain visits every line once
// before it repeats (Hull and Dobell), in an order that no prefetcher predicts. `apart` is the number of bytes from one
// link to the next.
__global__ void link(char* memory, uint64_t links, uint64_t apart)
{
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < links; i += uint64_t(gridDim.x) * blockDim.x)
        *reinterpret_cast<char**>(memory + i * apart) = memory + (1220703125 * i + 1) % links * apart;
}

__device__ inline char* follow(char* at)
{
    char* next;
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory"); // ca: may be cached in L1
    return next;
}

// One thread. The first `warm` steps (at most about one round) load the chain into the caches that it fits in.
__global__ void chase(char* at, int warm, int steps, Clocks* took)
{
    for (int i = 0; i < warm; ++i)
        at = follow(at);
    const Clocks start = clocks_now();
#pragma unroll 16
    for (int i = 0; i < steps; ++i)
        at = follow(at);
    if (at == nullptr) // never true; it makes the last load complete before anything below happens
        return;
    const Clocks end = clocks_now();
    *took = {end.cycles - start.cycles, end.ns - start.ns};
}

// One thread: the first `length` instructions of load, load, add, store, each dependent on the one before it. The sum
// is an address plus 0, that is, an address again, and is stored beside the link at that address.
template <int length>
__global__ void dependent_chain(char* at, uint64_t nothing, int warm, int steps, Clocks* took)
{
    for (int i = 0; i < warm; ++i)
        at = follow(at);
    const Clocks start = clocks_now();
#pragma unroll 8
    for (int i = 0; i < steps; ++i) {
        at = follow(at);
        if constexpr (length >= 2)
            at = follow(at);
        if constexpr (length >= 3)
            asm volatile("add.u64 %0, %0, %1;" : "+l"(at) : "l"(nothing));
        if constexpr (length >= 4)
            asm volatile("st.global.u64 [%0 + 8], %0;" ::"l"(at) : "memory");
    }
    if (at == nullptr)
        return;
    const Clocks end = clocks_now();
    *took = {end.cycles - start.cycles, end.ns - start.ns};
}

// The same with both loads issued together: one of the link, one of the next line, which holds 0. The add waits for
// both, and the next two loads wait for the add.
template <int length>
__global__ void loads_at_once(char* at, int warm, int steps, Clocks* took)
{
    const auto both = [&at](bool stores) {
        uint64_t zero;
        char* next;
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
        asm volatile("ld.global.ca.u64 %0, [%1 + %2];" : "=l"(zero) : "l"(at), "n"(line_bytes) : "memory");
        asm volatile("add.u64 %0, %1, %2;" : "=l"(at) : "l"(next), "l"(zero));
        if (stores)
            asm volatile("st.global.u64 [%0 + 8], %0;" ::"l"(at) : "memory");
    };
    for (int i = 0; i < warm; ++i)
        both(false);
    const Clocks start = clocks_now();
#pragma unroll 8
    for (int i = 0; i < steps; ++i)
        both(length >= 4);
    if (at == nullptr)
        return;
    const Clocks end = clocks_now();
    *took = {end.cycles - start.cycles, end.ns - start.ns};
}

// Times loads from shared memory in which each returns the address of the next one.
__device__ inline Clocks time_of_chain(uint32_t at, int steps)
{
    const Clocks start = clocks_now();
#pragma unroll 16
    for (int i = 0; i < steps; ++i)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)::"memory");
    if (at == 0xffffffffu)
        return {};
    const Clocks end = clocks_now();
    return {end.cycles - start.cycles, end.ns - start.ns};
}

// The same for shared memory.
__global__ void chase_shared(int steps, Clocks* took)
{
    constexpr int links = 1024;
    __shared__ uint32_t chain[links];
    for (int i = threadIdx.x; i < links; i += blockDim.x)
        chain[i] = ptx::shared_address(&chain[(1220703125u * i + 1) % links]);
    __syncthreads();
    *took = time_of_chain(ptx::shared_address(chain), steps);
}

// The same by the lanes of one warp, each of which reads its own word repeatedly: `ways` neighboring lanes have words
// of one bank, one below the other.
__global__ void chase_conflicts(int ways, int steps, Clocks* took)
{
    __shared__ uint32_t words[32 * 32];
    const int lane = threadIdx.x;
    const int word = lane % ways * 32 + lane / ways;
    words[word] = ptx::shared_address(&words[word]);
    __syncwarp();
    const Clocks time = time_of_chain(ptx::shared_address(&words[word]), steps);
    if (lane == 0)
        *took = time;
}

// ---- Bandwidth: every thread reads 16 bytes at a time, with four loads in flight.

enum class Level { past_l1, l1, shared };

template <Level level>
__device__ inline float load(uint64_t address)
{
    float4 v;
    if constexpr (level == Level::past_l1) // cg: cached in L2, not in L1
        asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(address));
    else if constexpr (level == Level::l1)
        asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(address));
    else
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "r"(uint32_t(address)));
    return v.x + v.y + v.z + v.w;
}

// Each thread reads its part of this many bytes, which must be a multiple of 64 per thread.
template <Level level>
__device__ inline float read_by_block(uint64_t start, uint32_t bytes)
{
    float sum = 0;
    for (uint32_t at = threadIdx.x * 16; at < bytes; at += 4 * 16 * blockDim.x) {
        float part[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            part[i] = load<level>(start + at + i * 16 * blockDim.x);
        sum += part[0] + part[1] + part[2] + part[3];
    }
    return sum;
}

// Neighboring blocks read neighboring chunks, then all advance; the last chunk is followed by the first.
__global__ void read_past_l1(const char* memory, uint32_t chunks, int repeats, float* sink)
{
    const uint32_t chunk_bytes = blockDim.x * 64, step = gridDim.x % chunks;
    uint32_t chunk = blockIdx.x % chunks;
    float sum = 0;
    for (int i = 0; i < repeats; ++i) {
        sum += read_by_block<Level::past_l1>(reinterpret_cast<uint64_t>(memory) + uint64_t(chunk) * chunk_bytes,
                                             chunk_bytes);
        chunk = chunk + step < chunks ? chunk + step : chunk + step - chunks;
    }
    if (sum == 1.25f) // never true: the memory is zero
        *sink = sum;
}

// Each block repeatedly reads its own slice, which fits in L1.
__global__ void read_l1(const char* memory, uint32_t slice_bytes, int repeats, float* sink)
{
    float sum = 0;
    for (int i = 0; i < repeats; ++i)
        sum += read_by_block<Level::l1>(reinterpret_cast<uint64_t>(memory) + uint64_t(blockIdx.x) * slice_bytes,
                                        slice_bytes);
    if (sum == 1.25f)
        *sink = sum;
}

__global__ void read_shared(int repeats, float* sink)
{
    constexpr int bytes = 32 * 1024;
    __shared__ __align__(16) float tile[bytes / sizeof(float)];
    for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        tile[i] = 0;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < repeats; ++i)
        sum += read_by_block<Level::shared>(ptx::shared_address(tile), bytes);
    if (sum == 1.25f)
        *sink = sum;
}

// Reads once from `start` on, and continues at the beginning after the last byte. A warp has one load in flight: the
// next load depends on its value. Loads have 16, 8 or 4 bytes per thread.
template <int width>
__global__ void stream(const char* memory, uint64_t bytes, uint64_t start, int repeats, float* sink)
{
    const uint64_t step = uint64_t(gridDim.x) * blockDim.x * width;
    uint64_t at = (start + (uint64_t(blockIdx.x) * blockDim.x + threadIdx.x) * width) % bytes;
    uint32_t bits = 0;
#pragma unroll 1
    for (int i = 0; i < repeats; ++i) {
        const char* const from = memory + at;
        uint32_t x, y = 0, z = 0, w = 0;
        if constexpr (width == 16)
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                         : "l"(from));
        else if constexpr (width == 8)
            asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(from));
        else
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(from));
        bits |= x | y | z | w;
        at += step + bits; // the memory is zero; the next address depends on this load
        at = at < bytes ? at : at - bytes;
    }
    if (bits != 0)
        *sink = 1;
}

// ---- Arithmetic.

constexpr int sums = 16; // per thread, independent of each other, so that none waits for the previous one

__global__ void multiply_add(int repeats, float a, float b, float* sink)
{
    float sum[sums];
    for (int i = 0; i < sums; ++i)
        sum[i] = float(threadIdx.x + i);
#pragma unroll 4
    for (int r = 0; r < repeats; ++r)
#pragma unroll
        for (int i = 0; i < sums; ++i)
            sum[i] = fmaf(sum[i], a, b);
    float all = 0;
    for (int i = 0; i < sums; ++i)
        all += sum[i];
    if (all == 1.25f)
        *sink = all;
}

// Numbers between 1 and 2 of either sign with random mantissas: they reach a power limit sooner than zeros.
__device__ inline uint32_t noise(uint32_t number)
{
    number = (number ^ number >> 16) * 0x7feb352du;
    number = (number ^ number >> 15) * 0x846ca68bu;
    return number ^ number >> 16;
}
__device__ inline uint32_t operand(Half, uint32_t number)
{
    return 0x3c003c00u | (noise(number) & 0x83ff83ffu);
}
__device__ inline uint32_t operand(Bfloat16, uint32_t number)
{
    return 0x3f803f80u | (noise(number) & 0x807f807fu);
}
__device__ inline uint32_t operand(Tf32, uint32_t number)
{
    return 0x3f800000u | (noise(number) & 0x807fe000u);
}

constexpr int products = 8; // independent products per warp

// Each warp computes 16 x 8 sums, 16 products deep (8 for TF32), `products` of them in turn.
template <class T>
__global__ void tensor_multiply(int repeats, float* sink)
{
    uint32_t a[4], b[2];
    for (int i = 0; i < 4; ++i)
        a[i] = operand(T{}, threadIdx.x * 8 + i);
    for (int i = 0; i < 2; ++i)
        b[i] = operand(T{}, threadIdx.x * 8 + 4 + i);
    float sum[products][4] = {};
    for (int r = 0; r < repeats; ++r)
#pragma unroll
        for (int i = 0; i < products; ++i)
            ptx::mma(T{}, sum[i], a, b, 0);
    float all = 0;
    for (int i = 0; i < products; ++i)
        all += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
    if (all == 1.25f)
        *sink = all;
}

#if __CUDA_ARCH__ >= 900

// Each warpgroup computes 64 x 256 sums, 64 products deep per repetition, with A and B in shared memory.
template <class T>
__global__ void __launch_bounds__(128) warpgroup_multiply(int repeats, float* sink)
{
    constexpr int lines_a = 64,
                  lines_b = 256; // of 128 bytes: A's run along M, one for each k; B's along K, one for each column
    __shared__ __align__(1024) uint32_t a[lines_a * 32], b[lines_b * 32];
    for (int i = threadIdx.x; i < lines_a * 32; i += blockDim.x)
        a[i] = operand(T{}, i);
    for (int i = threadIdx.x; i < lines_b * 32; i += blockDim.x)
        b[i] = operand(T{}, i + lines_a * 32);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // WGMMA reads through the async proxy, unlike stores
    __syncthreads();
    float sum[128] = {};
    for (int r = 0; r < repeats; ++r) {
        ptx::wgmma_fence();
#pragma unroll
        for (int k = 0; k < 64; k += 16)
            ptx::wgmma(T{}, sum, ptx::wgmma_operand(a + k * 32, 8 * 128, 0), ptx::wgmma_operand(b + k / 2, 8 * 128, 0),
                       true);
        ptx::wgmma_commit_group();
        ptx::wgmma_wait_group<1>();
    }
    ptx::wgmma_wait_group<0>();
    float all = 0;
    for (int i = 0; i < 128; ++i)
        all += sum[i];
    if (all == 1.25f)
        *sink = all;
}

// ---- Which SMs belong together: the blocks of a cluster run on SMs of one GPC. Each block reports its SM and waits,
// in some clusters longer than in others, so that the next clusters find other SMs free together.
template <int blocks>
__global__ void __cluster_dims__(blocks) tell_sm(uint32_t* sm_of_block)
{
    uint32_t sm;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    if (threadIdx.x == 0)
        sm_of_block[blockIdx.x] = sm;
    const uint32_t cluster = blockIdx.x / blocks;
    const uint64_t start = clocks_now().cycles, stay = 5000 * (1 + noise(cluster) % 8);
    while (clocks_now().cycles - start < stay) {
    }
}

#endif

} // namespace microbenchmarks

#endif
