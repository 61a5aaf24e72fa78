// C = A * B with tensor maps and wgmma, one warpgroup for 64 x 64 results. SW: bytes of the tiles' swizzle. B is stored by
// columns, so that both operands' lines run along K.
#include <cuda.h>
#include <cuda_fp16.h>
#include <stdint.h>

// gemmscope: kernel=warpgroup<128> grid=N/64,M/64 block=128 args=map(A:half,64,64,128),map(BT:half,64,64,128),C,N,K
// gemmscope: size=128x64x128 check=gemm

__device__ uint32_t place(const void* pointer)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void copy(void* to, const CUtensorMap& map, int col, int row, uint64_t* barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                 "%3}], [%4];" ::"r"(place(to)),
                 "l"(&map), "r"(col), "r"(row), "r"(place(barrier))
                 : "memory");
}

__device__ uint64_t descriptor(const void* start, int leading, int stride, int swizzle)
{
    const uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    return mode << 62 | static_cast<uint64_t>(stride >> 4) << 32 | static_cast<uint64_t>(leading >> 4) << 16 |
           (place(start) & 0x3ffff) >> 4;
}

#define SUMS(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
__device__ void multiply(float (&d)[32], uint64_t a, uint64_t b)
{
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
        "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, 1, 1, 1, 0, 0;"
        : SUMS(0), SUMS(4), SUMS(8), SUMS(12), SUMS(16), SUMS(20), SUMS(24), SUMS(28)
        : "l"(a), "l"(b));
}

template <int SW>
__global__ void __launch_bounds__(128)
    warpgroup(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* C, int N, int K)
{
    constexpr int BK = SW == 0 ? 16 : SW / 2, box = SW == 0 ? 8 : BK;
    __shared__ alignas(1024) half As[64 * BK];
    __shared__ alignas(1024) half Bs[64 * BK];
    __shared__ uint64_t full;
    const int row = blockIdx.y * 64, col = blockIdx.x * 64;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full)) : "memory");
    __syncthreads();
    float d[32] = {};
    for (int k = 0, phase = 0; k < K; k += BK, phase ^= 1) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(&full)),
                         "r"(2 * 64 * BK * 2)
                         : "memory");
            for (int part = 0; part < BK; part += box) {
                copy(As + 64 * part, a, k + part, row, &full);
                copy(Bs + 64 * part, b, k + part, col, &full);
            }
        }
        asm volatile("{ .reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra "
                     "again; }" ::"r"(place(&full)),
                     "r"(phase)
                     : "memory");
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int inner = 0; inner < BK; inner += 16) {
            const int leading = SW == 0 ? 64 * 16 : 0, stride = SW == 0 ? 128 : 8 * SW;
            multiply(d, descriptor(As + inner, leading, stride, SW), descriptor(Bs + inner, leading, stride, SW));
        }
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    const int lane = threadIdx.x % 32, first = row + threadIdx.x / 32 * 16 + lane / 4;
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 4; ++i)
            C[(first + i / 2 * 8) * N + col + j * 8 + lane % 4 * 2 + i % 2] = d[4 * j + i];
}
