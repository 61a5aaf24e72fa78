// Hopper's asynchronous hardware, one function per PTX instruction: barriers in shared memory that count arrivals and
// bytes (mbarrier), bulk copies of tiles by the tensor memory accelerator (TMA), and matrix products by a warpgroup of
// four warps directly from shared memory (WGMMA). sm_90a only; there is no CPU form.
#pragma once

#include "device/element.h"
#include "device/ptx.h"

#ifdef __CUDACC__

// Describes a matrix and the box that one copy transfers; created by the driver (cuTensorMapEncodeTiled).
struct alignas(64) TensorMap {
    unsigned char opaque[128];
};

namespace ptx {

// `arrivals` is the number of arrivals that completes a phase.
__device__ inline void mbarrier_init(uint64_t* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

// Makes initialized barriers visible to the TMA.
__device__ inline void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void mbarrier_arrive(uint64_t* barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Arrives at the barrier with this address in the shared memory of another block of the cluster, or of this one.
__device__ inline void mbarrier_arrive_in(int block, uint64_t* barrier)
{
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(shared_address(barrier)),
                 "r"(block)
                 : "memory");
}

// Waits for all threads of the cluster, in two steps so that other work can be done between them.
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

// Waits until the phase with this parity has completed.
__device__ inline void mbarrier_wait(uint64_t* barrier, int parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

// Prefetches the description of a matrix before the first copy needs it.
__device__ inline void prefetch_map(const TensorMap* map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

// Stores to this address in the shared memory of another block of the cluster, or of this one, without waiting. The
// barrier at the same address there counts the 16 bytes.
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

// Starts to copy the box at (row, col) of the matrix to shared memory; the barrier counts its bytes. Elements outside
// the matrix arrive as zeros.
__device__ inline void tma_load(void* to, const TensorMap* map, int row, int col, uint64_t* barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier))
        : "memory");
}

// The same into the shared memory of all blocks of the cluster whose bit is set in `blocks`: to the same address in
// each, counted by the barrier at the same address in each.
__device__ inline void tma_load_multicast(void* to, const TensorMap* map, int row, int col, uint64_t* barrier,
                                          unsigned blocks)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
        "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier)), "h"(static_cast<uint16_t>(blocks))
        : "memory");
}

// Registers of a warpgroup's threads: the copying warpgroup releases some, the computing warpgroups take them.
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

// Round to the nearest value of the type, and convert back.
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

// Describes a WGMMA operand: a tile in shared memory with 128-byte lines, swizzled as by the TMA. `next_lines`: bytes
// from 8 lines to the next 8. `next_columns`: bytes from 64 columns to the next 64 if the lines run along M or N.
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

// Waits until at most `pending` of the warpgroup's groups have not completed.
template <int pending>
__device__ inline void wgmma_wait_group()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// d = a * b, or d += a * b with `add`: 64 x 16, 32, ... 256 sums, 16 deep. a's lines run along M, b's along K. Of every
// 8 columns j of d, a thread holds d[4j] and d[4j + 1] in row warp * 16 + lane / 4, columns lane % 4 * 2 and + 1, and
// d[4j + 2], d[4j + 3] eight rows below. PTX numbers the operands, outputs first. To keep the sums' numbers the same
// for every width, a, b and `add` are declared as outputs too: %0, %1 and %2.
#define SUMS_16(EIGHT, NEXT) EIGHT(3, 4, 5, 6, 7, 8, 9, 10)
#define SUMS_32(EIGHT, NEXT) SUMS_16(EIGHT, NEXT) NEXT() EIGHT(11, 12, 13, 14, 15, 16, 17, 18)
#define SUMS_48(EIGHT, NEXT) SUMS_32(EIGHT, NEXT) NEXT() EIGHT(19, 20, 21, 22, 23, 24, 25, 26)
#define SUMS_64(EIGHT, NEXT) SUMS_48(EIGHT, NEXT) NEXT() EIGHT(27, 28, 29, 30, 31, 32, 33, 34)
#define SUMS_80(EIGHT, NEXT) SUMS_64(EIGHT, NEXT) NEXT() EIGHT(35, 36, 37, 38, 39, 40, 41, 42)
#define SUMS_96(EIGHT, NEXT) SUMS_80(EIGHT, NEXT) NEXT() EIGHT(43, 44, 45, 46, 47, 48, 49, 50)
#define SUMS_112(EIGHT, NEXT) SUMS_96(EIGHT, NEXT) NEXT() EIGHT(51, 52, 53, 54, 55, 56, 57, 58)
#define SUMS_128(EIGHT, NEXT) SUMS_112(EIGHT, NEXT) NEXT() EIGHT(59, 60, 61, 62, 63, 64, 65, 66)
#define SUMS_144(EIGHT, NEXT) SUMS_128(EIGHT, NEXT) NEXT() EIGHT(67, 68, 69, 70, 71, 72, 73, 74)
#define SUMS_160(EIGHT, NEXT) SUMS_144(EIGHT, NEXT) NEXT() EIGHT(75, 76, 77, 78, 79, 80, 81, 82)
#define SUMS_176(EIGHT, NEXT) SUMS_160(EIGHT, NEXT) NEXT() EIGHT(83, 84, 85, 86, 87, 88, 89, 90)
#define SUMS_192(EIGHT, NEXT) SUMS_176(EIGHT, NEXT) NEXT() EIGHT(91, 92, 93, 94, 95, 96, 97, 98)
#define SUMS_208(EIGHT, NEXT) SUMS_192(EIGHT, NEXT) NEXT() EIGHT(99, 100, 101, 102, 103, 104, 105, 106)
#define SUMS_224(EIGHT, NEXT) SUMS_208(EIGHT, NEXT) NEXT() EIGHT(107, 108, 109, 110, 111, 112, 113, 114)
#define SUMS_240(EIGHT, NEXT) SUMS_224(EIGHT, NEXT) NEXT() EIGHT(115, 116, 117, 118, 119, 120, 121, 122)
#define SUMS_256(EIGHT, NEXT) SUMS_240(EIGHT, NEXT) NEXT() EIGHT(123, 124, 125, 126, 127, 128, 129, 130)
#define NAMES(A, B, C, D, E, F, G, H) "%" #A ", %" #B ", %" #C ", %" #D ", %" #E ", %" #F ", %" #G ", %" #H
#define NEXT_NAME() ", "
#define OPERANDS(A, B, C, D, E, F, G, H)                                                                            \
    "+f"(d[A - 3]), "+f"(d[B - 3]), "+f"(d[C - 3]), "+f"(d[D - 3]), "+f"(d[E - 3]), "+f"(d[F - 3]), "+f"(d[G - 3]), \
        "+f"(d[H - 3])
#define NEXT_OPERAND() ,
#define WGMMA(Element, type, width)                                                              \
    __device__ inline void wgmma(Element, float(&d)[width / 2], uint64_t a, uint64_t b, int add) \
    {                                                                                            \
        asm volatile("{ .reg .pred add; setp.ne.b32 add, %2, 0;\n"                               \
                     "wgmma.mma_async.sync.aligned.m64n" #width "k16.f32." type "." type         \
                     " {" SUMS_##width(NAMES, NEXT_NAME) "}, %0, %1, add, 1, 1, 1, 0; }"         \
                     : "+l"(a), "+l"(b), "+r"(add), SUMS_##width(OPERANDS, NEXT_OPERAND));       \
    }
#define WGMMAS(width)         \
    WGMMA(Half, "f16", width) \
    WGMMA(Bfloat16, "bf16", width)
WGMMAS(16)
WGMMAS(32)
WGMMAS(48)
WGMMAS(64)
WGMMAS(80)
WGMMAS(96)
WGMMAS(112) WGMMAS(128) WGMMAS(144) WGMMAS(160) WGMMAS(176) WGMMAS(192) WGMMAS(208) WGMMAS(224) WGMMAS(240) WGMMAS(256)
#undef WGMMAS
#undef WGMMA
#undef NEXT_OPERAND
#undef OPERANDS
#undef NEXT_NAME
#undef NAMES
#undef SUMS_256
#undef SUMS_240
#undef SUMS_224
#undef SUMS_208
#undef SUMS_192
#undef SUMS_176
#undef SUMS_160
#undef SUMS_144
#undef SUMS_128
#undef SUMS_112
#undef SUMS_96
#undef SUMS_80
#undef SUMS_64
#undef SUMS_48
#undef SUMS_32
#undef SUMS_16

} // namespace ptx

#endif
