// vectorized: an 8 x 8 thread tile in registers, and 16 bytes per access.
//
// Idea: each thread computes 8 x 8 results as a sum of outer products: for every k it loads 8 values of a column of A
// and 8 of a row of B into registers and multiplies each with each. A is transposed while it is stored to shared
// memory, so that the 8 values of A are adjacent there too, and every access moves 16 bytes.
//
// Was slow: thread_tile_2d_registers moves 4 bytes per access, and the pipeline to shared memory had no time left.
//
// Look at: two places conflict. The store that transposes A: a warp holds 16 rows and two groups of k, 0-3 and 4-7, and
// rows of the tile that are four apart fall in the same 16 banks: 2 wavefronts instead of 1. The reads of B: the lanes
// step by 32 bytes, so only half of the banks are used in a wavefront: 8 instead of 4. The reads of A have no
// conflicts: a warp reads two different addresses.
//
// Loads per result: K/64 values from global memory, in 16-byte loads K/256; from shared memory (1/TM + 1/TN)K = K/4, in
// 16-byte loads K/16. Intensity at global memory: 2K FLOP / (K/64 * 4 bytes) = 32 FLOP per byte.
//
// On an H200: 37.4 TFLOPS at 4096^3, 74 % of cuBLAS, thread_tile_2d_registers 25.3 (2026-11-23).
//
// Still slow: the conflicts. padded_a removes those of the store, swizzled all of them; both use exactly this body with
// other layouts.

#include "device/gemm.h"

namespace vectorized {

struct Parameters {
    int BM = 128, BN = 128, BK = 8; // block tile: C is BM x BN, fetched in slices of BK along K
    int TM = 8, TN = 8;             // thread tile
    __host__ __device__ constexpr int threads() const { return BM / TM * (BN / TN); }
    __host__ __device__ constexpr int loads_a() const { return BM * BK / 4 / threads(); } // per thread and phase
    __host__ __device__ constexpr int loads_b() const { return BK * BN / 4 / threads(); }
};

__host__ __device__ constexpr RowMajor layout_a(Parameters p) // A transposed
{
    return {p.BK, p.BM};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P, auto layout_a, auto layout_b, class Probe>
__device__ void multiply(const Gemm& gemm, Block<Probe>& block)
{
    __shared__ TileStorage<layout_a> a_tile;
    __shared__ TileStorage<layout_b> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
        const auto C = gemm.template C<edges>(block);
        const int thread = threadIdx.x;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const int thread_row = thread / (P.BN / P.TN) * P.TM; // of this thread's results, in the block tile
        const int thread_col = thread % (P.BN / P.TN) * P.TN;

        float sum[P.TM][P.TN] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            float4 a_part[P.loads_a()], b_part[P.loads_b()]; // all loads first, so that they are in flight together
            for (int n = 0; n < P.loads_a(); ++n) {
                const int i = thread + n * P.threads();
                a_part[n] = A.load4(block_row + i / (P.BK / 4), k0 + i % (P.BK / 4) * 4);
            }
            for (int n = 0; n < P.loads_b(); ++n) {
                const int i = thread + n * P.threads();
                b_part[n] = B.load4(k0 + i / (P.BN / 4), block_col + i % (P.BN / 4) * 4);
            }
            for (int n = 0; n < P.loads_a(); ++n) {
                const int i = thread + n * P.threads();
                const int row = i / (P.BK / 4);
                const int k = i % (P.BK / 4) * 4;
                As.store(k, row, a_part[n].x);
                As.store(k + 1, row, a_part[n].y);
                As.store(k + 2, row, a_part[n].z);
                As.store(k + 3, row, a_part[n].w);
            }
            for (int n = 0; n < P.loads_b(); ++n) {
                const int i = thread + n * P.threads();
                Bs.store4(i / (P.BN / 4), i % (P.BN / 4) * 4, b_part[n]);
            }
            block.sync();

#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                float a[P.TM], b[P.TN];
                for (int i = 0; i < P.TM; i += 4)
                    unpack(As.load4(k, thread_row + i), &a[i]);
                for (int j = 0; j < P.TN; j += 4)
                    unpack(Bs.load4(k, thread_col + j), &b[j]);
                for (int j = 0; j < P.TN; ++j)
                    for (int i = 0; i < P.TM; ++i)
                        sum[i][j] += a[i] * b[j];
            }
            block.sync();
        }

#pragma unroll // registers cannot be indexed: an indexed `sum` would move to memory
        for (int i = 0; i < P.TM; ++i) {
#pragma unroll
            for (int j = 0; j < P.TN; j += 4) {
                const int row = block_row + thread_row + i;
                const int col = block_col + thread_col + j;
                gemm.store4(C, row, col, &sum[i][j]);
            }
        }
    });
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) vectorized(Gemm gemm, Probe probe)
{
    Block block(probe);
    multiply<P, layout_a(P), layout_b(P)>(gemm, block);
}

} // namespace vectorized

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace vectorized {

inline constexpr Parameters tiny{8, 8, 4, 4, 4}; // 4 threads
inline constexpr std::string_view limit_of_width = "Every access moves 16 bytes, so a thread has at least 4 x 4 "
                                                   "results and a tile of K at least 4 elements; 4 lanes work.";
inline constexpr Parameters variants[] = {{},   {64, 64, 8, 8, 8}, {128, 128, 16, 8, 8}, {64, 64, 16, 4, 4},
                                          tiny, {32, 64, 8, 8, 8}}; // the tiny form of swizzled

inline std::string refusal(Parameters p) // padded_a shares it
{
    if (const std::string why = refusal_of_thread_tiles(p, 4); !why.empty())
        return why;
    return refusal_of_shared(bytes_of(Padded{p.BK, p.BM, 4}, layout_b(p)));
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "vectorized",
        .idea = "8 x 8 results per thread, 16 bytes per access",
        .builds_on = "thread_tile_2d_registers",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &vectorized<P, Probe>; }),
        .tiles = two_tiles<layout_a, layout_b>,
        .tiny = Tiny<Parameters>{tiny, 16, 16, 8, limit_of_width},
    };
}

} // namespace vectorized
#endif
