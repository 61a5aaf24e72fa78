// thread_tile_2d: each thread computes TM x TN results, reading shared memory inside the inner loops.
//
// Idea: 8 x 8 results per thread, so that 256 threads compute 128 x 128 of C. The inner loops are written as plainly as
// they can be: every multiplication names its two values in shared memory.
//
// What was slow in thread_tile_1d: a value of A served one multiplication only. Here a thread's 8 values of A and 8 of B
// serve 8 each, if they are kept.
//
// Look at: as written, 64 multiplications read 128 values. The compiler sees that only 16 of them differ, loads each
// once and keeps it in a register. The recording shows what is written; what runs is in the machine code.
//
// Loads per result: (1/BM + 1/BN)K = K/64 from global memory; from shared memory 2K as written, (1/TM + 1/TN)K = K/4 as
// compiled. Intensity at global memory: 2K FLOP / (K/64 * 4 bytes) = 32 FLOP per byte.
//
// On an H200: 25.4 TFLOPS at 4096^3, 50 % of cuBLAS (2026-11-22).
//
// Still slow: 4 bytes per access. The next stage, thread_tile_2d_registers, states explicitly what the compiler found
// out here by itself.

#include "device/gemm.h"
#include "device/thread_tile.h"
#include "device/tile_part.h"

namespace thread_tile_2d {

struct Parameters {
    int BM = 128, BN = 128, BK = 8; // block tile
    int TM = 8, TN = 8;             // thread tile
    __host__ __device__ constexpr int threads() const { return BM / TM * (BN / TN); }
};

__host__ __device__ constexpr RowMajor layout_a(Parameters p)
{
    return {p.BM, p.BK};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) thread_tile_2d(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<layout_a(P)> a_tile;
    __shared__ TileStorage<layout_b(P)> b_tile;
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

        TilePart<P.BM, P.BK, P.threads(), 1> a_part; // fetched as in thread_tile_1d
        TilePart<P.BK, P.BN, P.threads(), 1> b_part;
        float sum[P.TM][P.TN] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            a_part.load(A, block_row, k0); // all loads first, so that they are in flight together
            b_part.load(B, k0, block_col);
            a_part.store(As);
            b_part.store(Bs);
            block.sync();

            for (int k = 0; k < P.BK; ++k) {
                for (int i = 0; i < P.TM; ++i) {
                    for (int j = 0; j < P.TN; ++j) {
                        const float a = As(thread_row + i, k);
                        const float b = Bs(k, thread_col + j);
                        sum[i][j] += a * b;
                    }
                }
            }
            block.sync();
        }
        store_results<1>(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + thread_row + i, block_col + thread_col + j};
        });
    });
}

} // namespace thread_tile_2d

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace thread_tile_2d {

inline constexpr Parameters tiny{4, 4, 2, 2, 2}; // 4 threads
inline constexpr Parameters variants[] = {
    {}, {64, 64, 8, 8, 8}, {64, 64, 8, 4, 4}, tiny, {128, 128, 8, 16, 16}}; // more results than a thread has registers

inline std::string refusal(Parameters p)
{
    if (const std::string why = refusal_of_thread_tiles(p, 1); !why.empty())
        return why;
    return refusal_of_shared(bytes_of(layout_a(p), layout_b(p)));
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "thread_tile_2d",
        .idea = "8 x 8 results per thread; every multiplication reads shared memory",
        .builds_on = "thread_tile_1d",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &thread_tile_2d<P, Probe>; }),
        .tiles = two_tiles<layout_a, layout_b>,
        .tiny = Tiny<Parameters>{tiny, 8, 8, 4},
    };
}

} // namespace thread_tile_2d
#endif
