// Hopper's asynchronous machinery, one function per PTX instruction: barriers in shared memory that count arrivals and
// bytes (mbarrier), bulk copies of tiles by the tensor memory accelerator (TMA), and matrix products of a whole warpgroup,
// four warps, straight from shared memory (WGMMA). sm_90a only; there is no CPU form.
#pragma once

#include "device/element.h"
#include "device/ptx.h"

#ifdef __CUDACC__

// Describes a matrix and the box that one copy takes from it; made by the driver (cuTensorMapEncodeTiled).
struct alignas(64) TensorMap {
    unsigned char opaque[128];
};

namespace ptx {

// `arrivals`: how many make a phase.
__device__ inline void mbarrier_init(uint64_t* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

// Makes initialised barriers visible to the TMA.
__device__ inline void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void mbarrier_arrive(uint64_t* barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Arrives at the barrier at this place in the shared memory of another block of the cluster, or of this one.
__device__ inline void mbarrier_arrive_in(int block, uint64_t* barrier)
{
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(shared_address(barrier)),
                 "r"(block)
                 : "memory");
}

// Waits for all threads of the cluster: in two steps, so that something else can be done between them.
__device__ inline void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ inline void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}
__device__ inline void cluster_sync()
{
    cluster_arrive();
    cluster_wait();
}

// Arrives, and adds to the bytes that the phase waits for.
__device__ inline void mbarrier_arrive_expect_tx(uint64_t* barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}

// Waits until the phase of that parity is over.
__device__ inline void mbarrier_wait(uint64_t* barrier, int parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

// Lets the description of a matrix be fetched before the first copy needs it.
__device__ inline void prefetch_map(const TensorMap* map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

// Stores to this place in the shared memory of another block of the cluster, or of this one, without waiting; the 16 bytes are
// counted by the barrier at its place there.
__device__ inline void store_in(int block, float4* to, float4 value, uint64_t* barrier)
{
    asm volatile(
        "{ .reg .b32 there, counted; mapa.shared::cluster.u32 there, %0, %2; mapa.shared::cluster.u32 counted, %1, "
        "%2;\n"
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [there], {%3, %4, %5, %6}, [counted]; }" ::"r"(
            shared_address(to)),
        "r"(shared_address(barrier)), "r"(block), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
        : "memory");
}

// Starts to copy the box at (row, col) of the matrix to shared memory; its bytes are counted by the barrier. What lies
// outside of the matrix arrives as zeros.
__device__ inline void tma_load(void* to, const TensorMap* map, int row, int col, uint64_t* barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier))
        : "memory");
}

// The same into the shared memory of all blocks of the cluster whose bit is set in `blocks`: to the same place of each, counted
// by the barrier at the same place of each.
__device__ inline void tma_load_multicast(void* to, const TensorMap* map, int row, int col, uint64_t* barrier,
                                          unsigned blocks)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
        "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier)), "h"(static_cast<uint16_t>(blocks))
        : "memory");
}

// Registers of the warpgroup's threads: given back by those who copy, taken by those who compute.
template <int registers>
__device__ inline void setmaxnreg_dec()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void setmaxnreg_inc()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// To the nearest of that type, and back.
__device__ inline void round_to(Half& to, float value)
{
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to.bits) : "f"(value));
}
__device__ inline void round_to(Bfloat16& to, float value)
{
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(to.bits) : "f"(value));
}
__device__ inline float widened(Half value)
{
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value.bits));
    return result;
}
__device__ inline float widened(Bfloat16 value)
{
    return __uint_as_float(uint32_t(value.bits) << 16);
}

// What one WGMMA operand is made of: a tile in shared memory, 128-byte lines swizzled as the TMA does it. `next_lines`:
// bytes from 8 lines to the next 8; `next_columns`: where the lines run along M or N, bytes from 64 columns to the next 64.
__device__ inline uint64_t wgmma_operand(const void* start, int next_lines, int next_columns)
{
    constexpr uint64_t swizzle_128 = uint64_t(1) << 62;
    return swizzle_128 | uint64_t(next_lines >> 4) << 32 | uint64_t(next_columns >> 4) << 16 |
           (shared_address(start) & 0x3ffff) >> 4;
}

__device__ inline void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void wgmma_commit_group()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most `pending` of the warpgroup's groups are under way.
template <int pending>
__device__ inline void wgmma_wait_group()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// d = a * b, or d += a * b where `add`: 64 x 64, 96, ... 256 sums, 16 products deep. A's lines run along K,
// B's along N. A thread holds, of every 8 columns j, d[4j] and d[4j + 1] in row warp * 16 + lane / 4, columns lane % 4 * 2 and + 1, and
// d[4j + 2] and d[4j + 3] eight rows below. PTX names each of these registers: the macros count to so many.
#define TEN(tens)                                                                                                     \
    "%" #tens "0, %" #tens "1, %" #tens "2, %" #tens "3, %" #tens "4, %" #tens "5, %" #tens "6, %" #tens "7, %" #tens \
    "8, %" #tens "9, "
#define SIXTY TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5)
#define SUMS_8(i)                                                                                               \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
        "+f"(d[i + 7])
#define SUMS_32(i) SUMS_8(i), SUMS_8(i + 8), SUMS_8(i + 16), SUMS_8(i + 24)
#define WGMMA(Element, type, shape, count, registers, a_operand, b_operand, add_operand, ...)                   \
    __device__ inline void wgmma(Element, float(&d)[count], uint64_t a, uint64_t b, bool add)                   \
    {                                                                                                           \
        asm volatile("{ .reg .pred add; setp.ne.b32 add, " add_operand ", 0;\n"                                 \
                     "wgmma.mma_async.sync.aligned." shape ".f32." type "." type " {" registers "}, " a_operand \
                     ", " b_operand ", add, 1, 1, 0, 1; }"                                                      \
                     : __VA_ARGS__                                                                              \
                     : "l"(a), "l"(b), "r"(static_cast<int>(add)));                                             \
    }
#define WGMMAS(Element, type)                                                                                         \
    WGMMA(Element, type, "m64n64k16", 32, TEN() TEN(1) TEN(2) "%30, %31", "%32", "%33", "%34", SUMS_32(0))            \
    WGMMA(Element, type, "m64n96k16", 48, TEN() TEN(1) TEN(2) TEN(3) "%40, %41, %42, %43, %44, %45, %46, %47", "%48", \
          "%49", "%50", SUMS_32(0), SUMS_8(32), SUMS_8(40))                                                           \
    WGMMA(Element, type, "m64n128k16", 64, SIXTY "%60, %61, %62, %63", "%64", "%65", "%66", SUMS_32(0), SUMS_32(32))  \
    WGMMA(Element, type, "m64n160k16", 80, SIXTY TEN(6) "%70, %71, %72, %73, %74, %75, %76, %77, %78, %79", "%80",    \
          "%81", "%82", SUMS_32(0), SUMS_32(32), SUMS_8(64), SUMS_8(72))                                              \
    WGMMA(Element, type, "m64n192k16", 96, SIXTY TEN(6) TEN(7) TEN(8) "%90, %91, %92, %93, %94, %95", "%96", "%97",   \
          "%98", SUMS_32(0), SUMS_32(32), SUMS_32(64))                                                                \
    WGMMA(Element, type, "m64n224k16", 112, SIXTY TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) "%110, %111", "%112", "%113",   \
          "%114", SUMS_32(0), SUMS_32(32), SUMS_32(64), SUMS_8(96), SUMS_8(104))                                      \
    WGMMA(Element, type, "m64n256k16", 128,                                                                           \
          SIXTY TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127", "%128", \
          "%129", "%130", SUMS_32(0), SUMS_32(32), SUMS_32(64), SUMS_32(96))
WGMMAS(Half, "f16")
WGMMAS(Bfloat16, "bf16")
#undef WGMMAS
#undef WGMMA
#undef SUMS_32
#undef SUMS_8
#undef SIXTY
#undef TEN

} // namespace ptx

#endif
